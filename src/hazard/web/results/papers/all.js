// The papers side by side.

import { copyable } from "../../lib/copy.js";
import { h } from "../../lib/dom.js";
import { card } from "../../pages/cards.js";
import { total, verdictBar } from "./verdicts.js";
import { count } from "../words.js";

export function shelf(papers) {
  const run = papers.filter((paper) => paper.run), all = run.reduce((sum, { verdicts }) => sum + total(verdicts), 0);
  const right = run.reduce((sum, { verdicts }) => sum + verdicts.reproduced, 0);
  const words = run.length
    ? `Of ${count(all)} published figures that were put to the test here, ${count(right)} are reproduced.`
    : "No study has been run here yet; each paper below says how.";
  return [
    h("div", { class: "hero" },
      h("h1", {}, "Papers"),
      h("p", {}, "The games come from five papers. Every figure that they print stands here beside ours. ", words)),
    h("ul", { class: "papers" }, papers.map(row)),
  ];
}

function row(paper) {
  return h("li", { class: "panel paper" },
    card(paper.name),
    h("div", { class: "paper-words" },
      h("h2", {}, h("a", { href: `/papers/${paper.name}` }, paper.title)),
      h("p", { class: "quiet" }, source(paper)), h("p", {}, paper.published)),
    h("div", { class: "paper-verdicts" }, paper.run ? [verdictBar(paper.verdicts), more(paper)] : howToRun(paper)));
}

const more = ({ name, title }) =>
  h("a", { class: "button", href: `/papers/${name}`, "aria-label": `all figures of ${title}` }, "All figures");

export const source = ({ authors, year, place }) => `${authors}. ${place}${year ? `, ${year}` : ""}`;

export const howToRun = ({ title, command, takes }) => h("div", { class: "how-to-run" },
  h("p", { class: "quiet" }, `Not run here yet. This makes its tables and figures; it takes ${takes}:`),
  copyable(`the command that reproduces ${title}`, command));
