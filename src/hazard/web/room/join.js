// For somebody who came by a link and holds no seat: take one that is free, or look on.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { taking } from "../lib/parts.js";
import { titleOf } from "../lib/seats.js";
import { choose, keepToken, setting } from "../lib/settings.js";

export class JoinPart {
  // `joined()` is called when a seat was taken and its token stored.
  constructor({ store }, joined) {
    Object.assign(this, { store, joined, looking: false, open: "" });
    this.element = h("section", { class: "panel join", hidden: true, "aria-label": "free seats" });
    this.update();
  }

  update() {
    const { store } = this;
    const open = store.seats.flatMap((seat, number) => (seat.kind === "open" ? [number] : []));
    this.element.hidden = store.seat !== null || !open.length || this.looking || !store.game;
    if (open.join() === this.open) return;
    this.open = open.join();
    const attributes = { maxlength: 40, autocomplete: "nickname", placeholder: "how others see you" };
    this.name = h("input", { type: "text", value: setting("name"), ...attributes });
    const sign = (number) => titleOf(store.seats[number].title);
    this.element.replaceChildren(
      h("h2", {}, "There is a seat for you"),
      h("label", { class: "field" }, "Your name ", this.name),
      h("p", { class: "problem", role: "alert", hidden: true }),
      h("div", { class: "row" },
        open.map((seat) => h("button", { class: "primary", onclick: () => this.sit(seat) }, `Take this seat: ${sign(seat)}`)),
        h("button", { onclick: () => { this.looking = true; this.update(); } }, "Look on")));
  }

  async sit(seat) {
    const name = this.name.value.trim();
    choose("name", name);
    try {
      const { wish, keep } = taking({ seat, name });
      const found = await post(`/api/rooms/${this.store.room}/seats`, wish);
      keepToken(this.store.room, found.token);
      keep(this.store.room);
      this.joined();
    } catch (problem) {
      const words = this.element.querySelector(".problem");
      words.textContent = problem.message;
      words.hidden = false;
    }
  }
}
