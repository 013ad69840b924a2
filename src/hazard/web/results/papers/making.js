// A study that is not there yet: being made behind the lab, waiting for that, failed, or to be run by hand.

import { copyable } from "../../lib/copy.js";
import { h } from "../../lib/dom.js";
import { progressLine } from "../progress.js";
import { count } from "../words.js";

const PATIENCE = 1500; // milliseconds between looks, while studies are being made
const STATUS = { making: ["▶", "being made"], waiting: ["…", "waiting"], failed: ["✗", "failed"] };

export function notThere(paper) {
  const { making, takes } = paper;
  if (!making) return byHand(paper, `Not run here yet. This makes its tables and figures; it takes ${takes}:`);
  const [sign, word] = STATUS[making.status];
  const tag = h("span", { class: `tag study-${making.status}` }, h("span", { "aria-hidden": "true" }, `${sign} `), word);
  return h("div", { class: "making" }, h("p", {}, tag), SAYS[making.status](paper));
}

const SAYS = {
  waiting: () => h("p", { class: "quiet" }, "Its tables and figures come next, when those before it are finished."),
  making: ({ title, making: { doing, done, planned } }) => [
    progressLine({
      label: `${title}: parts done`, done, total: planned,
      words: planned ? `${count(done)} of ${count(planned)} parts` : "starting",
    }),
    h("p", { class: "quiet small" }, doing ? `Now: ${doing}.` : "Its code is being loaded."),
    h("p", { class: "quiet small" }, "A few minutes the first time, when its code is compiled. You can play meanwhile."),
  ],
  failed: (paper) =>
    [h("p", { class: "problem" }, paper.making.problem), byHand(paper, "To try again, start the lab anew, or run:")],
};

const byHand = ({ title, command }, words) => h("div", { class: "how-to-run" },
  h("p", { class: "quiet" }, words), copyable(`the command that reproduces ${title}`, command));

export const underWay = ({ making }) => making?.status === "making" || making?.status === "waiting";

// Calls `look()` again and again while it gives true; the function that is given back ends that.
export function watching(look) {
  let timer = 0, left = false;
  const again = async () => {
    const more = await look().catch(() => true); // the server may be back soon
    if (more && !left) timer = setTimeout(again, PATIENCE);
  };
  timer = setTimeout(again, PATIENCE);
  return () => { left = true; clearTimeout(timer); };
}
