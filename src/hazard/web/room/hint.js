// A hint, one step at a time: first what to look at, then the move. The whole analysis stays off.

import { h } from "../lib/dom.js";

export class HintPart {
  constructor({ store, cursor }) {
    Object.assign(this, { store, cursor, position: null, step: 0, module: null });
    this.button = h("button", { "data-key": "h", title: "a hint, then the move (h)", onclick: () => this.ask() }, "Hint");
    this.words = h("div", { class: "panel hint-words", role: "status", hidden: true });
    this.update();
  }

  // There is something to choose here and now, and analysis is allowed.
  get wanted() {
    const { store, cursor } = this;
    return store.mine && store.moves.length > 1 && store.mayAnalyse && cursor.live && cursor.caughtUp;
  }

  update() {
    const position = this.cursor.stop?.position ?? null;
    if (position !== this.position) this.forget(position);
    this.button.hidden = this.store.seat === null || this.store.status !== "playing";
    this.button.disabled = !this.wanted || this.step > 1;
    this.button.textContent = this.step ? "Show the move" : "Hint";
  }

  forget(position) {
    if (this.step > 1) this.module.point(null);
    Object.assign(this, { position, step: 0 });
    this.words.hidden = true;
  }

  async ask() {
    const { store } = this, { stop } = this.cursor, step = this.step + 1;
    this.say("Thinking ...");
    try {
      this.module ??= await import("./analysis/hint-words.js");
      const found = await this.module.learn(store, stop);
      if (stop.position !== this.position) return;
      this.step = step;
      this.say(...(step === 1 ? this.module.look(store, found) : this.module.tell(store, found)));
      if (step > 1) this.module.point(found.moves[0].move);
    } catch (problem) {
      this.say(`There is no hint: ${problem.message}`);
    }
    this.update();
  }

  say(...parts) {
    this.words.hidden = false;
    this.words.replaceChildren(...parts.map((part) => (typeof part === "string" ? h("p", {}, part) : part)));
  }
}
