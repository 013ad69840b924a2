// After a game: the result, whether the dice were fair, what to do next, and the review of the moves.

import { get } from "../lib/api.js";
import { checkList } from "../lib/checks.js";
import { h } from "../lib/dom.js";
import { hex, sha256, unhex } from "../lib/sha256.js";
import { sayPayoffs, sayResult } from "./words.js";

const NOTHING = "On the board as it was dealt there is nothing to do, so the game was over at once. A new game deals another.";
// What this browser can check by itself: SHA-256(salt + seed) is the commitment that it saw when it entered, and parts
// in the dice were told as they had been promised, its own among them. Nothing where nobody was promised anything.
function ownCheck({ commitment, thrown, ended: { salt, seed } }) {
  if (!commitment || !salt || !seed) return [];
  const kept = hex(sha256(unhex(salt + seed))) === commitment, what = "checked by this browser";
  const found = kept ? "is" : "is not";
  return [
    { what, passed: kept, detail: `the seed ${found} the one promised when it entered the room` },
    { what, passed: !thrown.wrong, detail: thrown.wrong || `all parts in ${thrown.made} throws are those that seats promised` },
  ];
}

export class EndingPart {
  constructor(context) {
    Object.assign(this, { context, shown: false });
    this.element = h("section", { class: "panel ending", hidden: true, "aria-label": "result" });
    this.after = h("section", { class: "panel after", hidden: true, "aria-label": "review" });
    this.update();
  }

  update() {
    const { store, cursor, presenter } = this.context;
    if (this.shown || !store.ended || (cursor.live && (!cursor.caughtUp || presenter.busy))) return;
    this.shown = true;
    this.element.hidden = false;
    this.dice = h("p", { class: "dice-check" }, "Checking the dice ...");
    const payoffs = sayPayoffs(store);
    this.element.replaceChildren(
      h("h2", {}, sayResult(store)),
      payoffs ? h("p", {}, payoffs) : "",
      this.played || store.ended.reason !== "over" ? "" : h("p", {}, NOTHING),
      this.dice,
      h("div", { class: "row" }, h("button", { class: "primary", onclick: () => this.context.again() }, "New game"),
        h("a", { class: "button", href: "/" }, "Other games")));
    this.after.hidden = !this.played;
    this.check();
    if (this.played) this.review();
  }

  get played() {
    return this.context.store.stops.length > 1;
  }

  async check() {
    try {
      const { store } = this.context;
      const { checks } = await get(`/api/rooms/${store.room}/verify`);
      const all = [...checks, ...ownCheck(store)], passed = all.every((check) => check.passed);
      const list = checkList(all);
      const words = passed ? "✓ The dice are verified" : "✗ The dice could not be verified";
      this.dice.replaceWith(h("details", { class: `dice-check ${passed ? "good" : "bad"}` }, h("summary", {}, words), list));
    } catch (problem) {
      this.dice.textContent = `The dice could not be checked: ${problem.message}`;
    }
  }

  async review() {
    try {
      const { createReview } = await import("./analysis/review.js");
      this.after.replaceChildren(createReview(this.context.store, this.context.cursor, { branch: this.context.branch }).element);
    } catch (problem) {
      console.warn(problem);
      this.after.replaceChildren(h("p", { class: "quiet" }, "The review of the game could not be loaded."));
    }
  }
}
