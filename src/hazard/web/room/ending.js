// After a game: the result, whether the dice were fair, what to do next, and the review of the moves.

import { get } from "../lib/api.js";
import { checkList } from "../lib/checks.js";
import { h } from "../lib/dom.js";
import { sayPayoffs, sayResult } from "./words.js";

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
      this.dice,
      h("div", { class: "row" }, h("button", { class: "primary", onclick: () => this.context.again() }, "New game"),
        h("a", { class: "button", href: "/" }, "Other games")));
    this.after.hidden = false;
    this.check();
    this.review();
  }

  async check() {
    try {
      const { passed, checks } = await get(`/api/rooms/${this.context.store.room}/verify`);
      const list = checkList(checks);
      const words = passed ? "✓ The dice are verified" : "✗ The dice could not be verified";
      this.dice.replaceWith(h("details", { class: `dice-check ${passed ? "good" : "bad"}` }, h("summary", {}, words), list));
    } catch (problem) {
      this.dice.textContent = `The dice could not be checked: ${problem.message}`;
    }
  }

  async review() {
    try {
      const { createReview } = await import("./review.js");
      this.after.replaceChildren(createReview(this.context.store, this.context.cursor, { branch: this.context.branch }).element);
    } catch (problem) {
      console.warn(problem);
      this.after.replaceChildren(h("p", { class: "quiet" }, "The review of the game could not be loaded."));
    }
  }
}
