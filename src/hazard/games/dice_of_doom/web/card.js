// The pictures of Dice of Doom: hexagons of two players with dice on them.

import { s } from "/static/lib/dom.js";
import { styled } from "/static/lib/styles.js";

styled("/static/games/dice-of-doom/seats.css");

const corners = (x, y, size) =>
  Array.from({ length: 6 }, (_, at) => Math.PI / 6 + (Math.PI / 3) * at)
    .map((turn) => `${(x + size * Math.cos(turn)).toFixed(1)},${(y + size * Math.sin(turn)).toFixed(1)}`).join(" ");
const words = (x, y, kind, text) => s("text", { x, y, "text-anchor": "middle", class: kind }, String(text));

export function picture() {
  const owners = [0, 1, 0, 1, 1, 0, 0], dice = [3, 1, 2, 2, 3, 1, 2];
  const places = [[50, 24], [80, 24], [110, 24], [35, 50], [65, 50], [95, 50], [125, 50]];
  return places.map(([x, y], at) => [
    s("polygon", { points: corners(x, y + 4, 16.5), class: `card-field seat-${owners[at]}` }),
    s("g", { "font-size": 16 }, words(x, y + 10, "card-on-seat", dice[at]))]);
}

export function cover() {
  const tile = ([x, y, seat], n) => s("g", {},
    s("polygon", { points: corners(x, y, 20), class: `x-cover-hex seat-${seat}` }),
    words(x, y + 5, "x-cover-dice", 1 + ((n * 2) % 5)));
  return [[64, 32, 0], [100, 32, 1], [136, 32, 0], [82, 64, 1], [118, 64, 0], [154, 64, 1]].map(tile);
}
