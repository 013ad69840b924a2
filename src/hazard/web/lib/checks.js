// The checks of a game's dice and rules, as a list.

import { h } from "./dom.js";

const check = ({ what, passed, detail }) =>
  h("li", { class: passed ? "good" : "bad" }, `${passed ? "✓" : "✗"} ${what}${detail ? `: ${detail}` : ""}`);

export const checkList = (checks) => h("ul", { class: "checks" }, checks.map(check));
