// Pickomino's positions as text, what dice and tiles are worth, and pictures of tiles.

import { h, s } from "../lib/dom.js";
import { worm } from "../lib/dice.js";
import { count } from "./table.js";

export const LOWEST = 21; // the number of the first tile
export const MARKS = ["1", "2", "3", "4", "5", "w"];
const NAMES = { 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", w: "worm" };

export const pointsOf = (mark) => (mark === "w" ? 5 : Number(mark));
export const sumOf = (marks) => marks.reduce((sum, mark) => sum + pointsOf(mark), 0);
export const wormsOf = (tile) => Math.floor((tile - LOWEST) / 4) + 1;
export const wormsIn = (tiles) => tiles.reduce((sum, tile) => sum + wormsOf(tile), 0);

// --- reading ---------------------------------------------------------------------------------------------------------
const POSITION = /^p(\d+) kept (\S+)( rolling)?(?: rolled (\S+))? centre (\S+) stacks (.+) turned (\S+)$/;

// "p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -": stacks from bottom to top.
export function parse(text) {
  const [, mover, kept, rolling, rolled, centre, stacks, turned] = POSITION.exec(text);
  const dice = { kept: marksOf(kept), rolling: Boolean(rolling), rolled: marksOf(rolled ?? "-") };
  const tiles = { centre: tilesOf(centre), stacks: stacks.split(" / ").map(tilesOf), turned: tilesOf(turned) };
  return { mover: mover - 1, ...dice, ...tiles };
}

export const marksOf = (text) => (text === "-" ? [] : [...text.toLowerCase()]);
const tilesOf = (text) => (text === "-" ? [] : text.split(",").flatMap(range));

function range(part) {
  const [first, last = first] = part.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

// What stopping would bring: the tile of the centre, and the seat whose top tile has just the sum; null for none.
export function stops(now) {
  const sum = now.kept.includes("w") ? sumOf(now.kept) : 0;
  const tile = Math.max(0, ...now.centre.filter((other) => other <= sum));
  const victim = now.stacks.findIndex((stack, seat) => seat !== now.mover && stack.at(-1) === sum);
  return { sum, tile: tile || null, victim: victim < 0 ? null : victim };
}

// --- words -----------------------------------------------------------------------------------------------------------
// Dice by face: [{mark, number}].
export const groups = (marks) =>
  MARKS.map((mark) => ({ mark, number: marks.filter((other) => other === mark).length })).filter(({ number }) => number > 0);

export const groupWords = ({ mark, number }) => count(number, NAMES[mark]);
export const diceWords = (marks) => groups(marks).map(groupWords).join(", ");

// What a turn that failed has cost.
export function lostWords(was, now) {
  const back = was.stacks[was.mover].at(-1), turned = now.turned.find((tile) => !was.turned.includes(tile));
  if (!back) return turned ? `Tile ${turned} is turned down.` : "There was no tile to lose.";
  return `Tile ${back} goes back${turned ? `, tile ${turned} is turned down` : ""}.`;
}

// --- pictures --------------------------------------------------------------------------------------------------------
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
