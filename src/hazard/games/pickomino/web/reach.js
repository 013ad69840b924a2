// How likely each score is to be reached in a turn: bars for "at least", a mark for "just that".

import { h, s } from "/static/lib/dom.js";
import { chance } from "/static/explore/common.js";

const HIGH = 170, TOP = 22, FOOT = 34;
const LEAST = 0.005; // less is not written
const rounded = (part) => String(Math.round(100 * part));
const words = (x, y, kind, text) => s("text", { x, y, "text-anchor": "middle", class: kind }, text);

// `scores` with the chances of at least that many points and of exactly that many; `wanted` are scores at which a tile can be stolen.
export function reachChart(scores, [least, just], wanted) {
  const wide = innerWidth < 600 ? 340 : 520, step = (wide - 10) / scores.length, floor = HIGH - FOOT, tall = floor - TOP;
  const bar = (score, n) => {
    const x = 5 + n * step, middle = x + step / 2, high = Math.max(0.5, least[n] * tall), steal = wanted.includes(score);
    return s("g", {}, s("title", {}, `${score}: at least ${chance(least[n], 1)}, just that ${chance(just[n], 1)}`),
      s("rect", { x: x + 1, y: floor - high, width: step - 2, height: high, class: "x-bar" }),
      s("path", { d: `M${x + 1} ${floor - just[n] * tall}h${step - 2}`, class: "x-just" }),
      least[n] >= LEAST ? words(middle, floor - high - 4, "x-bartext", rounded(least[n])) : "",
      words(middle, floor + 14, `x-tick ${steal ? "x-steal" : ""}`, String(score)),
      steal ? words(middle, floor + 28, "x-tick x-steal", rounded(just[n])) : "");
  };
  const told = scores.map((score, n) => `${score}: ${chance(least[n], 0)}`).filter((_, n) => least[n] >= LEAST).join(", ");
  const facts = { viewBox: `0 0 ${wide} ${HIGH}`, class: "picture", role: "img", "aria-label": `chances of at least: ${told}` };
  return h("div", {}, s("svg", facts, scores.map(bar)), key(wanted.length > 0));
}

const key = (steals) => h("p", { class: "x-key" }, h("span", { class: "x-key-bar" }, "at least this many points, in %"),
  h("span", { class: "x-key-just" }, "exactly this many"), steals && h("span", { class: "x-steal" }, "bold: steals a tile"));
