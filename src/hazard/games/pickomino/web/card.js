// The pictures of Pickomino: tiles with their worms, and dice.

import { die, worm } from "/static/lib/dice.js";
import { s } from "/static/lib/dom.js";
import { wormsOf } from "./turn.js";

const words = (x, y, kind, text) => s("text", { x, y, "text-anchor": "middle", class: kind }, String(text));
const worms = (number, make) => Array.from({ length: wormsOf(number) }, (_, at) => make(at % 2, Math.floor(at / 2)));

export const picture = () => [
  [21, 26, 31, 36].map((number, at) => tile(16 + 33 * at, 8, number)),
  [4, "w", 5, "w"].map((face, at) => die(30 + 27 * at, 62, 22, face)),
];

const wave = (x, y) => s("path", { d: `M${x} ${y} q2 -4 4 0 t4 0`, class: "card-worm" });
const tile = (x, y, number) => [
  s("rect", { x, y, width: 28, height: 46, rx: 4, class: "card-tile" }),
  s("g", { "font-size": 16 }, words(x + 14, y + 20, "card-tile-number", number)),
  worms(number, (column, row) => wave(x + 6 + 9 * column, y + 30 + 8 * row)),
];

export function cover() {
  const place = (column, row) => s("g", { transform: `translate(${3 + 13 * column} ${34 + 13 * row})` }, worm(13));
  return [21, 25, 29, 33, 36].map((number, n) => s("g", { transform: `translate(${10 + 37 * n} 18)` },
    s("rect", { width: 31, height: 64, rx: 5, class: "x-cover-tile" }), words(15.5, 25, "x-cover-text", number),
    worms(number, place)));
}
