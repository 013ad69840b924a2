// Pictures of Pickomino's tiles.

import { worm } from "/static/lib/dice.js";
import { h, s } from "/static/lib/dom.js";
import { count } from "/static/boards/table.js";
import { wormsIn, wormsOf } from "./turn.js";

const SIZES = { 1: 22, 2: 18, 3: 15, 4: 15 }; // of worms, by how many there are, and where they lie
const PLACES = {
  1: [[22, 47]],
  2: [[13, 47], [31, 47]],
  3: [[12, 41.5], [32, 41.5], [22, 53]],
  4: [[12, 41.5], [32, 41.5], [12, 53], [32, 53]],
};
const words = (y, size, text, kind) =>
  s("text", { x: 22, y, "text-anchor": "middle", "font-size": size, class: kind }, String(text));
const tile = (...children) => s("svg", { viewBox: "0 0 44 62", class: "tile" }, ...children);
const body = (kind) => s("rect", { x: 1.5, y: 1.5, width: 41, height: 59, rx: 7, class: kind });

// A tile: its number above, its worms below.
export function tilePicture(number) {
  const worms = wormsOf(number), size = SIZES[worms];
  const place = ([x, y]) => s("g", { transform: `translate(${x - size / 2} ${y - size * 0.55})` }, worm(size));
  const line = s("path", { d: "M8 33h28", class: "tile-line" });
  return tile(body("tile-body"), words(25, 20, number, "tile-number"), line, PLACES[worms].map(place));
}

// Where a tile was: its number, and a mark that says where it went.
export const emptyPicture = (number, mark) => tile(body("tile-gone"), words(26, 17, number), words(47, 15, mark));

// How many worms tiles have: a number and a worm.
export function wormSum(tiles) {
  const sum = wormsIn(tiles), told = { role: "img", "aria-label": count(sum, "worm") };
  return h("b", { class: "worm-sum", ...told }, String(sum), s("svg", { viewBox: "0 0 24 24" }, worm(24)));
}

// A stack from bottom to top.
export const pile = (tiles, fresh) => tiles.map((number, i) => {
  const top = i === tiles.length - 1;
  return h("span", { class: `piled ${top ? "topmost" : ""} ${top && fresh ? "fresh" : ""}` }, tilePicture(number));
});
