// A request to take back, and the answer to it.

import { h } from "../lib/dom.js";
import { nameOf } from "./words.js";

export class ProposalPart {
  constructor({ store }) {
    Object.assign(this, { store, shown: null });
    this.element = h("div", { class: "bar ask", role: "alert", hidden: true });
    this.update();
  }

  update() {
    const { store } = this, { proposal } = store;
    this.element.hidden = !proposal || store.seat === null;
    if (this.element.hidden || this.shown === proposal.seq) return;
    this.shown = proposal.seq;
    const own = proposal.seat === store.seat;
    const words = h("span", {}, "You asked to take back. The others have to agree.");
    this.element.replaceChildren(...(own ? [words] : this.question(proposal)));
  }

  question({ seat }) {
    return [
      h("span", {}, `${nameOf(this.store, seat)} would like to take the last move back.`),
      h("button", { class: "primary", onclick: () => this.store.agree(true) }, "Agree"),
      h("button", { onclick: () => this.store.agree(false) }, "No"),
    ];
  }
}
