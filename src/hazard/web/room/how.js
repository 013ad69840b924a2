// How a game is played, beside its board.

import { h } from "../lib/dom.js";

export const howTo = (how) =>
  h("details", { class: "panel how", open: true },
    h("summary", {}, "How to play"), [how].flat().map((words) => h("p", {}, words)));
