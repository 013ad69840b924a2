// Small pictures for the list of solved games.

import { s } from "../lib/dom.js";
import { worm } from "../lib/dice.js";

const frame = (...children) => s("svg", { viewBox: "0 0 200 100", class: "picture x-cover", "aria-hidden": "true" }, children);
const words = (x, y, text, kind) => s("text", { x, y, "text-anchor": "middle", class: kind }, String(text));
const times = (count, make) => Array.from({ length: count }, (_, n) => make(n));

export function policy() {
  const shade = (x, y) => Math.max(0.08, Math.min(1, 0.2 + 0.045 * y + 0.9 * Math.max(0, 0.35 - Math.abs(x - 14 + y * 0.4) / 9)));
  const cell = (x, y) => s("rect", { x: 10 * x, y: 90 - 10 * y, width: 10.3, height: 10.3, class: "x-cover-cell",
    opacity: shade(x, y).toFixed(2) });
  return frame(times(20, (x) => times(10, (y) => cell(x, y))));
}

export function battles() {
  const bar = (n, high, kind) => s("rect", { x: 14 + 22 * n, y: 90 - high, width: 16, height: high, rx: 2, class: kind });
  return frame([72, 66, 58, 49, 41, 33, 26, 19].map((high, n) => [bar(n, 80, "x-cover-back"), bar(n, high, "x-cover-fill")]));
}

export function tiles() {
  const place = (n) => s("g", { transform: `translate(${3 + 13 * (n % 2)} ${34 + 13 * Math.floor(n / 2)})` }, worm(13));
  const tile = (number, n) => s("g", { transform: `translate(${10 + 37 * n} 18)` },
    s("rect", { width: 31, height: 64, rx: 5, class: "x-cover-tile" }), words(15.5, 25, number, "x-cover-text"),
    times(Math.floor((number - 21) / 4) + 1, place));
  return frame([21, 25, 29, 33, 36].map(tile));
}

export function hexagons() {
  const along = (n, way) => 20 * way((n * Math.PI) / 3);
  const corner = (x, y, n) => [x + along(n, Math.sin), y + along(n, Math.cos)].map((at) => at.toFixed(1));
  const tile = ([x, y, seat], n) => s("g", {},
    s("polygon", { points: times(6, (k) => corner(x, y, k)).join(" "), class: `x-cover-hex seat-${seat}` }),
    words(x, y + 5, 1 + ((n * 2) % 5), "x-cover-dice"));
  return frame([[64, 32, 0], [100, 32, 1], [136, 32, 0], [82, 64, 1], [118, 64, 0], [154, 64, 1]].map(tile));
}
