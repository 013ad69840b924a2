// The picture of Pig on its card: both players on their way, and the die.

import { die } from "/static/lib/dice.js";
import { s } from "/static/lib/dom.js";

const bar = (y, seat, part, pot = 0) => [
  s("rect", { x: 14, y, width: 132, height: 9, rx: 4.5, class: "card-back" }),
  pot ? s("rect", { x: 14, y, width: 132 * (part + pot), height: 9, rx: 4.5, class: `card-pot seat-${seat}` }) : "",
  s("rect", { x: 14, y, width: 132 * part, height: 9, rx: 4.5, class: `card-fill seat-${seat}` }),
];

export const picture = () => [bar(14, 0, 0.6, 0.2), bar(30, 1, 0.5), die(61, 46, 38, 5)];
