// The picture of Dice Wars on its card: territories of four players with dice on them.

import { s } from "/static/lib/dom.js";

const LANDS = [
  ["M10 14 L44 8 L58 26 L46 46 L16 42 Z", 0, 4, 33, 32], ["M44 8 L92 12 L88 34 L58 26 Z", 1, 2, 71, 26],
  ["M92 12 L148 10 L150 40 L112 46 L88 34 Z", 2, 6, 121, 33], ["M16 42 L46 46 L62 66 L40 84 L12 76 Z", 1, 3, 37, 69],
  ["M46 46 L58 26 L88 34 L112 46 L100 68 L62 66 Z", 0, 7, 80, 56], ["M112 46 L150 40 L146 80 L104 84 L100 68 Z", 3, 1, 125, 69],
];

export const picture = () => LANDS.map(([d, seat, dice, x, y]) => [
  s("path", { d, class: `card-field seat-${seat}` }),
  s("text", { x, y, "text-anchor": "middle", "font-size": 16, class: "card-on-seat" }, String(dice))]);
