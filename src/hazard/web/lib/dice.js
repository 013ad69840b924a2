// Dice in SVG: pips for up to nine, a number beyond.

import { s } from "./dom.js";

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

// A die at x, y. `value` may be a number, "w" for a worm, or null while it rolls; `kind` adds a class ("seat-0", "held").
export function die(x, y, size, value, kind = "") {
  const body = s("rect", { width: size, height: size, rx: size * 0.18, class: "die-body" });
  return s("g", { transform: `translate(${x} ${y})`, class: `die ${kind}` }, body, ...face(value, size));
}

function face(value, size) {
  if (value === null || value === undefined) return [text("?", size)];
  if (value === "w") return [worm(size)];
  const spots = SPOTS[value];
  if (!spots) return [text(String(value), size)];
  const at = (i) => size * (0.25 + 0.25 * i);
  return spots.map(([x, y]) => s("circle", { cx: at(x), cy: at(y), r: size * 0.085, class: "pip" }));
}

const text = (words, size) =>
  s("text", { x: size / 2, y: size * 0.66, "text-anchor": "middle", "font-size": size * 0.45, class: "die-text" }, words);

const worm = (size) =>
  s("path", {
    d: `M${size * 0.2} ${size * 0.65} q${size * 0.1} ${-size * 0.4} ${size * 0.25} ${-size * 0.1} t${size * 0.25} ${-size * 0.1} q${size * 0.08} ${-size * 0.15} ${size * 0.1} ${-size * 0.02}`,
    fill: "none", "stroke-width": size * 0.1, "stroke-linecap": "round", class: "worm",
  });
