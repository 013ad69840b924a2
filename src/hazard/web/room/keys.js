// The keyboard of a room: keys that boards and buttons name (data-key), and those that go through the game.

import { dialog } from "../lib/dialog.js";
import { h } from "../lib/dom.js";

const ALWAYS = [
  ["← →", "back and forth in the game"], ["Home End", "first and last position"],
  ["Tab Enter", "go to anything that can be pressed, and press it"], ["Esc", "undo the first half of a move; close a window"],
  ["?", "these keys"],
];
const TYPING = "input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]";

// Keys that go through a game.
export const through = (cursor, element) => ({
  ArrowLeft: () => cursor.stop && cursor.goTo(cursor.index - 1),
  ArrowRight: () => cursor.stop && cursor.goTo(cursor.index + 1),
  Home: () => cursor.stop && cursor.goTo(0),
  End: () => cursor.stop && cursor.toLive(),
  "?": () => help(element),
});

// Presses what names the key, else does what `steps` says for it. Gives what ends the listening.
export function listen(element, steps = {}) {
  const press = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
    if (event.target.matches?.("input[type=range]") && event.key !== "?") return;
    const pressed = keyed(element, event.key), step = steps[event.key];
    if (!pressed && !step) return;
    event.preventDefault();
    if (pressed) pressed.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    else step();
  };
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

const usable = (found) => !found.disabled && !found.closest("[hidden]");
const named = (element) => [...element.querySelectorAll("[data-key]")].filter(usable);
const keyed = (element, key) => named(element).find((found) => found.dataset.key === key);

export function help(element) {
  const words = (found) => found.dataset.move ?? found.getAttribute("aria-label") ?? found.textContent.trim();
  const own = named(element).map((found) => [found.dataset.key, words(found)]);
  const row = ([key, text]) => [h("dt", {}, key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, text)];
  dialog("Keys", (close) => [
    h("dl", { class: "keys" }, [...own, ...ALWAYS].map(row)),
    h("div", { class: "row end" }, h("button", { onclick: close }, "Close")),
  ]);
}
