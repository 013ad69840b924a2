// The pictures of Risk: dice against dice, and chances to conquer.

import { die } from "/static/lib/dice.js";
import { s } from "/static/lib/dom.js";

export const picture = () => [
  [6, 4, 2].map((face, at) => die(20, 6 + 27 * at, 24, face, "seat-1")),
  [5, 4].map((face, at) => die(116, 6 + 27 * at, 24, face, "seat-0")),
  ["M52 18 H106 m-8 -6 l8 6 l-8 6", "M108 45 H54 m8 -6 l-8 6 l8 6"]
    .map((d, at) => s("path", { d, class: `card-arrow seat-${1 - at}` })),
];

export function cover() {
  const bar = (n, high, kind) => s("rect", { x: 14 + 22 * n, y: 90 - high, width: 16, height: high, rx: 2, class: kind });
  return [72, 66, 58, 49, 41, 33, 26, 19].map((high, n) => [bar(n, 80, "x-cover-back"), bar(n, high, "x-cover-fill")]);
}
