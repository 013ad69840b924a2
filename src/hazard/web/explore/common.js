// What the pages of solved games share: data in base64, patience while something is worked out, small controls.

import { get } from "../lib/api.js";
import { h, sleep } from "../lib/dom.js";
import { address, rename } from "../lib/route.js";

// --- data -------------------------------------------------------------------------------------------------------------
export const wholes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const singles = (text) => new Float32Array(wholes(text).buffer);
export const doubles = (text) => new Float64Array(wholes(text).buffer);
// Yes and no, eight in a byte from the highest bit on.
export const bitsOf = (text) => {
  const found = wholes(text);
  return (n) => (found[n >> 3] >> (7 - (n & 7))) & 1;
};

// --- asking -----------------------------------------------------------------------------------------------------------
// Asks until there is an answer; `waiting(seconds)` hears how long it has taken so far. Gives up, with null, once `left()`.
export async function patiently(ask, waiting = () => {}, left = () => false) {
  const began = performance.now();
  const ticking = setInterval(() => { if (!left()) waiting(Math.round((performance.now() - began) / 1000)); }, 1000);
  try {
    while (!left()) {
      const found = await ask().catch(later);
      if (!found.waiting) return found;
      await sleep(500);
    }
    return null;
  } finally {
    clearInterval(ticking);
  }
}

function later(problem) {
  if (problem.code !== "busy" && problem.code !== "rate") throw problem;
  return { waiting: problem.message };
}

// A note that something is being worked out, with the seconds; it stays hidden for the first second.
export function waitingNote(words) {
  const count = h("span", {}), spin = h("span", { class: "x-spin", "aria-hidden": "true" });
  const element = h("p", { class: "x-wait", role: "status", hidden: true }, spin, words, " ", count);
  const tick = (seconds) => {
    element.hidden = false;
    count.textContent = `${seconds} s`;
  };
  return { element, tick, done: () => { element.hidden = true; } };
}

export const getPatiently = (path, note, left) => patiently(() => get(path), note.tick, left).finally(note.done);

// The address of what is shown, a little later: browsers dislike it when it changes all the time.
let naming;
export const nameNoMore = () => clearTimeout(naming);
export function nameSoon(path, query) {
  nameNoMore();
  naming = setTimeout(() => { if (location.pathname === path) rename(address(path, query)); }, 250);
}

// --- elements ---------------------------------------------------------------------------------------------------------
// Other children for an element; what has the focus keeps it, by its `data-name`, and is given back.
export function refill(element, ...children) {
  const name = element.contains(document.activeElement) ? document.activeElement.dataset.name : null;
  element.replaceChildren(...children);
  const again = name ? element.querySelector(`[data-name="${name}"]`) : null;
  again?.focus();
  return again;
}

// One of several, as buttons side by side. `choices` are [value, name, label for screen readers].
export function choice(label, choices, value, chosen) {
  const button = ([each, name, spoken]) => h("button", {
    type: "button", "data-name": `${label} ${name}`, "aria-pressed": String(each === value), "aria-label": spoken,
      onclick: () => press(each),
  }, name);
  const buttons = choices.map(button);
  const press = (next) => {
    choices.forEach(([each], n) => buttons[n].setAttribute("aria-pressed", String(each === next)));
    chosen(next);
  };
  const group = { class: "x-choice", role: "group", "aria-label": label };
  return { element: h("div", group, h("span", { class: "x-label" }, label), h("div", { class: "x-buttons" }, buttons)) };
}

export const field = (label, control) => h("label", { class: "x-field" }, h("span", { class: "x-label" }, label), control);

export const heading = (title, words) => h("div", { class: "x-head" },
  h("p", { class: "x-crumb" }, h("a", { href: "/explore/" }, "Solved games"), " /"), h("h1", {}, title),
    h("p", { class: "x-lead" }, words));

// Calls back when the theme changes; gives what ends that.
export function onTheme(changed) {
  const watch = new MutationObserver(changed), dark = matchMedia("(prefers-color-scheme: dark)");
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  dark.addEventListener("change", changed);
  return () => { watch.disconnect(); dark.removeEventListener("change", changed); };
}

export const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// --- words ------------------------------------------------------------------------------------------------------------
export const chance = (value, digits = 2) => `${(100 * value).toFixed(digits)}\u00a0%`;
// What a move costs, in percentage points.
export const costs = (value, digits = 2) => {
  const least = 10 ** -digits;
  return 100 * value < least / 2 ? `less than ${least}\u00a0points` : `${(100 * value).toFixed(digits)}\u00a0points`;
};
const raised = (number) => [...number].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
// 8e-14 as "8 × 10⁻¹⁴".
export const powers = (error) => error.toExponential(0).replace(/e-(\d+)/, (_, power) => ` × 10⁻${raised(power)}`);

// --- drawing ----------------------------------------------------------------------------------------------------------
// A canvas of that size on the screen, sharp on any screen, and what draws on it.
export function penOn(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  canvas.style.setProperty("height", `${height}px`);
  Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  return pen;
}
