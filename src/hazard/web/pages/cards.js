// A small picture for each game, drawn by code.

import { s } from "../lib/dom.js";
import { die } from "../lib/dice.js";

const WIDE = 160, HIGH = 90;

export const card = (game) =>
  s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "card-picture", "aria-hidden": "true" }, (PICTURES[game] ?? plain)());

const bar = (y, seat, part, pot = 0) => [
  s("rect", { x: 14, y, width: 132, height: 9, rx: 4.5, class: "card-back" }),
  pot ? s("rect", { x: 14, y, width: 132 * (part + pot), height: 9, rx: 4.5, class: `card-pot seat-${seat}` }) : "",
  s("rect", { x: 14, y, width: 132 * part, height: 9, rx: 4.5, class: `card-fill seat-${seat}` }),
];

const pig = () => [bar(14, 0, 0.6, 0.2), bar(30, 1, 0.5), die(61, 46, 38, 5)];

const ones = () => [
  [3, 5, 2].map((face, at) => die(14 + 32 * at, 14, 28, face)),
  [1, 1].map((face, at) => die(38 + 32 * at, 50, 28, face, "aside")),
  s("circle", { cx: 118, cy: 64, r: 10, class: "card-ring" }),
  s("text", { x: 128, y: 34, "text-anchor": "middle", "font-size": 20, class: "card-number" }, "10"),
];

const risk = () => [
  [6, 4, 2].map((face, at) => die(20, 6 + 27 * at, 24, face, "seat-1")),
  [5, 4].map((face, at) => die(116, 6 + 27 * at, 24, face, "seat-0")),
  ["M52 18 H106 m-8 -6 l8 6 l-8 6", "M108 45 H54 m8 -6 l-8 6 l8 6"]
    .map((d, at) => s("path", { d, class: `card-arrow seat-${1 - at}` })),
];

function doom() {
  const owners = [0, 1, 0, 1, 1, 0, 0], dice = [3, 1, 2, 2, 3, 1, 2];
  const places = [[50, 24], [80, 24], [110, 24], [35, 50], [65, 50], [95, 50], [125, 50]];
  return places.map(([x, y], at) => [
    s("polygon", { points: hexagon(x, y + 4, 16.5), class: `card-field seat-${owners[at]}` }),
    s("text", { x, y: y + 10, "text-anchor": "middle", "font-size": 16, class: "card-on-seat" }, String(dice[at]))]);
}

const hexagon = (x, y, size) =>
  Array.from({ length: 6 }, (_, at) => Math.PI / 6 + (Math.PI / 3) * at)
    .map((turn) => `${x + size * Math.cos(turn)},${y + size * Math.sin(turn)}`).join(" ");

const pickomino = () => [
  [[21, 1], [26, 2], [31, 3], [36, 4]].map(([number, worms], at) => tile(16 + 33 * at, 8, number, worms)),
  [4, "w", 5, "w"].map((face, at) => die(30 + 27 * at, 62, 22, face)),
];

const tile = (x, y, number, worms) => [
  s("rect", { x, y, width: 28, height: 46, rx: 4, class: "card-tile" }),
  s("text", { x: x + 14, y: y + 20, "text-anchor": "middle", "font-size": 16, class: "card-tile-number" }, String(number)),
  Array.from({ length: worms }, (_, at) => wormAt(x + 6 + 9 * (at % 2), y + 30 + 8 * Math.floor(at / 2))),
];

const wormAt = (x, y) => s("path", { d: `M${x} ${y} q2 -4 4 0 t4 0`, class: "card-worm" });

const LANDS = [
  ["M10 14 L44 8 L58 26 L46 46 L16 42 Z", 0, 4, 33, 32], ["M44 8 L92 12 L88 34 L58 26 Z", 1, 2, 71, 26],
  ["M92 12 L148 10 L150 40 L112 46 L88 34 Z", 2, 6, 121, 33], ["M16 42 L46 46 L62 66 L40 84 L12 76 Z", 1, 3, 37, 69],
  ["M46 46 L58 26 L88 34 L112 46 L100 68 L62 66 Z", 0, 7, 80, 56], ["M112 46 L150 40 L146 80 L104 84 L100 68 Z", 3, 1, 125, 69],
];
const wars = () => LANDS.map(([d, seat, dice, x, y]) => [
  s("path", { d, class: `card-field seat-${seat}` }),
  s("text", { x, y, "text-anchor": "middle", "font-size": 16, class: "card-on-seat" }, String(dice))]);

const plain = () => [die(61, 26, 38, 6)];

const PICTURES = { pig, "great-rolled-ones": ones, risk, "dice-of-doom": doom, pickomino, "dice-wars": wars };
