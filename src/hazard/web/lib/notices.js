// Short words at the lower edge of the window, read aloud, gone after a while or when pressed.

import { h } from "./dom.js";

const STAY = 7000; // milliseconds

export function notice(text, kind = "") {
  const place = document.querySelector("#notices");
  if (!place) return;
  for (const old of place.children) if (old.dataset.text === text) old.remove();
  const close = h("button", { class: "plain", "aria-label": "close" }, "×");
  const shown = h("div", { class: `notice ${kind}`, "data-text": text }, h("span", {}, text), close);
  close.addEventListener("click", () => shown.remove());
  place.append(shown);
  setTimeout(() => shown.remove(), STAY);
}
