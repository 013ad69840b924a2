// The game as a list of moves and a slider: any position can be gone to.

import { h, s } from "../lib/dom.js";
import { moveWords, nameOf } from "./words.js";

export class TimelinePart {
  constructor({ store, cursor }) {
    Object.assign(this, { store, cursor, shown: [], line: null });
    this.list = h("ol", { class: "moves-list", "aria-label": "moves" });
    this.slider = h("input", { type: "range", min: 0, max: 0, "aria-label": "position of the game" });
    this.slider.addEventListener("input", () => cursor.goTo(Number(this.slider.value)));
    this.buttons = [
      ["M6 5v14 M19 5l-9 7l9 7z", "first position (Home)", () => cursor.goTo(0)],
      ["M17 5l-9 7l9 7z", "one back (left arrow)", () => cursor.goTo(cursor.index - 1)],
      ["M7 5l9 7l-9 7z", "one forward (right arrow)", () => cursor.goTo(cursor.index + 1)],
      ["M18 5v14 M5 5l9 7l-9 7z", "last position (End)", () => cursor.toLive()],
    ].map(([d, label, onclick]) => h("button", { "aria-label": label, title: label, onclick }, sign(d)));
    const [first, back, forward, last] = this.buttons;
    this.element = h("section", { class: "timeline panel", "aria-label": "timeline" },
      h("div", { class: "timeline-bar" }, first, back, this.slider, forward, last), this.list);
    this.update();
  }

  // While the game is being shown step by step, its future stays hidden.
  get known() {
    return this.cursor.live ? this.cursor.index + 1 : this.store.stops.length;
  }

  update() {
    const { store, cursor } = this, known = this.known;
    if (this.shown.some((stop, at) => stop.from !== store.stops[at]) || this.shown.length > known) this.clear();
    for (let at = this.shown.length; at < known; at++) this.add(store.stops[at], at);
    Object.assign(this.slider, { max: Math.max(0, known - 1), value: Math.max(0, cursor.index) });
    const words = this.shown[cursor.index]?.button.textContent ?? "";
    this.slider.setAttribute("aria-valuetext", `${cursor.index + 1} of ${known}: ${words}`);
    this.mark();
  }

  clear() {
    this.list.replaceChildren();
    Object.assign(this, { shown: [], line: null });
  }

  // A move and the dice that it threw stand on one line.
  add(from, at) {
    const { event } = from;
    const button = h("button", { class: `stop stop-${event.type}`, onclick: () => this.cursor.goTo(at) }, this.words(event));
    if (event.type !== "rolled" || !this.line) {
      const who = "seat" in event ? h("span", { class: `who seat-${event.seat}` }, nameOf(this.store, event.seat)) : "";
      this.line = h("li", {}, who);
      this.list.append(this.line);
    }
    this.line.append(button);
    this.shown.push({ from, button });
  }

  words(event) {
    if (event.type === "begun") return "start";
    if (event.type === "took_back") return "taken back";
    return event.type === "moved" ? moveWords(this.store, event.move) : `→ ${event.dice}`;
  }

  mark() {
    const now = this.shown[this.cursor.index]?.button;
    if (this.current === now) return this.able();
    this.current?.removeAttribute("aria-current");
    this.current = now;
    now?.setAttribute("aria-current", "step");
    if (now) this.list.scrollTop = now.offsetTop - this.list.clientHeight / 2;
    return this.able();
  }

  able() {
    const [first, back, forward, last] = this.buttons;
    first.disabled = back.disabled = this.cursor.index <= 0;
    forward.disabled = this.cursor.index >= this.store.stops.length - 1;
    last.disabled = this.cursor.live && this.cursor.caughtUp;
  }
}

const sign = (d) =>
  s("svg", { viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true", class: "sign" }, s("path", { d }));
