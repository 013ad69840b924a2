// The pictures of Great Rolled Ones: dice with ones aside, and a map of the policy.

import { die } from "/static/lib/dice.js";
import { s } from "/static/lib/dom.js";

const times = (count, make) => Array.from({ length: count }, (_, n) => make(n));

export const picture = () => [
  [3, 5, 2].map((face, at) => die(14 + 32 * at, 14, 28, face)),
  [1, 1].map((face, at) => die(38 + 32 * at, 50, 28, face, "aside")),
  s("circle", { cx: 118, cy: 64, r: 10, class: "card-ring" }),
  s("text", { x: 128, y: 34, "text-anchor": "middle", "font-size": 20, class: "card-number" }, "10"),
];

export function cover() {
  const shade = (x, y) => Math.max(0.08, Math.min(1, 0.2 + 0.045 * y + 0.9 * Math.max(0, 0.35 - Math.abs(x - 14 + y * 0.4) / 9)));
  const cell = (x, y) => s("rect", { x: 10 * x, y: 90 - 10 * y, width: 10.3, height: 10.3, class: "x-cover-cell",
    opacity: shade(x, y).toFixed(2) });
  return times(20, (x) => times(10, (y) => cell(x, y)));
}
