// Dice in SVG: pips for up to nine, a number beyond; single ones that stand in a line of text, and how they tumble.

import { s, sleep } from "./dom.js";

const SPOTS = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
  7: [[0, 0], [0, 1], [0, 2], [1, 1], [2, 0], [2, 1], [2, 2]],
  8: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2]],
  9: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]],
};
const BLINK = 75; // milliseconds that a tumbling die shows one face

// A die at x, y. `value` may be a number, "w" for a worm, other words, or null while it rolls; `kind` adds a class
// ("seat-0", "held").
export function die(x, y, size, value, kind = "") {
  const body = s("rect", { width: size, height: size, rx: size * 0.18, class: "die-body" });
  return s("g", { transform: `translate(${x} ${y})`, class: `die ${kind}` }, body, ...face(value, size));
}

// A die as a picture of its own. Without a label it is mere ornament to screen readers.
export function single(value, kind = "", label = "") {
  const attributes = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return s("svg", { viewBox: "-3 -3 66 66", class: `single ${kind}`, ...attributes }, die(0, 0, 60, value));
}

// Single dice change their faces for so long.
export async function tumble(dice, faces, milliseconds) {
  const turned = (die) => die.replaceChildren(single(faces[Math.floor(Math.random() * faces.length)]).firstChild);
  for (const one of dice) one.classList.add("tumbling");
  for (let left = milliseconds; left > 0; left -= BLINK) {
    for (const one of dice) turned(one);
    await sleep(Math.min(BLINK, left));
  }
}

// Whether this person wants no movement on the screen.
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function face(value, size) {
  if (value === null || value === undefined) return [text("?", size)];
  if (value === "w") return [worm(size)];
  const spots = SPOTS[value];
  if (!spots) return [text(String(value), size)];
  const at = (i) => size * (0.25 + 0.25 * i);
  return spots.map(([x, y]) => s("circle", { cx: at(x), cy: at(y), r: size * 0.085, class: "pip" }));
}

function text(words, size) {
  const large = words.length > 2 ? 0.36 : 0.45;
  const place = { x: size / 2, y: size * (0.5 + large * 0.36), "text-anchor": "middle", "font-size": size * large };
  return s("text", { ...place, "font-weight": 600, class: "die-text" }, words);
}

// A worm in a square of that size: a body of three humps, a head and an eye.
export function worm(size) {
  const at = (x, y) => `${(size * x).toFixed(2)} ${(size * y).toFixed(2)}`;
  const humps = `${at(0.2, 0.44)} ${at(0.32, 0.44)} ${at(0.38, 0.62)} S${at(0.54, 0.82)} ${at(0.6, 0.62)}`;
  const body = `M${at(0.13, 0.72)} C${humps} S${at(0.64, 0.38)} ${at(0.72, 0.34)}`;
  const line = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", class: "worm" };
  return s("g", {},
    s("path", { d: body, "stroke-width": size * 0.13, ...line }),
    s("path", { d: `M${at(0.7, 0.32)} l${size * 0.04} 0`, "stroke-width": size * 0.24, ...line }),
    s("circle", { cx: size * 0.74, cy: size * 0.28, r: size * 0.035, class: "worm-eye" }));
}
