// Verdicts on published figures: a sign, a word and a colour for each.

import { h } from "../../lib/dom.js";
import { count } from "../words.js";

export const VERDICTS = [
  ["reproduced", "✓", "reproduced"],
  ["not reproduced", "✗", "not"],
  ["published in error", "!", "error"],
  ["left to --full", "…", "left"],
];
const known = new Map(VERDICTS.map(([verdict, sign, kind]) => [verdict, { sign, kind }]));

export function verdictTag(verdict) {
  const { sign, kind } = known.get(verdict) ?? { sign: "?", kind: "left" };
  return h("span", { class: `verdict ${kind}` }, h("span", { class: "verdict-sign", "aria-hidden": "true" }, sign), verdict);
}

export const total = (verdicts) => Object.values(verdicts).reduce((sum, number) => sum + number, 0);

// All figures of a paper as one bar, with the numbers below.
export function verdictBar(verdicts) {
  const all = total(verdicts), some = VERDICTS.filter(([verdict]) => verdicts[verdict]);
  const label = some.map(([verdict]) => `${verdicts[verdict]} ${verdict}`).join(", ");
  const part = ([verdict, , kind]) =>
    h("span", { class: `verdict-part ${kind}`, style: { "flex-grow": String(verdicts[verdict] / all) } });
  const line = ([verdict]) => h("li", {}, h("b", {}, count(verdicts[verdict])), " ", verdictTag(verdict));
  return h("div", { class: "verdicts" },
    h("div", { class: "verdict-bar", role: "img", "aria-label": `${all} figures: ${label}` }, some.map(part)),
    h("ul", { class: "verdict-counts" }, some.map(line)));
}
