// A turn of Pickomino: positions as text, what dice and tiles are worth, what stopping brings. The only arithmetic of the
// game in the browser.

import { count } from "/static/boards/table.js";

export const LOWEST = 21; // the number of the first tile
export const MARKS = ["1", "2", "3", "4", "5", "w"];
export const NAMES = { 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", w: "worm" };

export const faceOf = (mark) => (mark === "w" ? mark : Number(mark)); // as dice are drawn
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
