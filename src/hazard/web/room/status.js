// What is going on, in words that are also read aloud; and bars for a lost connection and for the past.

import { h } from "../lib/dom.js";
import { sayEvent, sayTurn } from "./words.js";

const LOST = "The connection is lost. Trying again; nothing of the game is lost.";
const SLOW = 3000; // milliseconds after which the wait for an agent is explained
const STUCK = 90000;
const STILL = "You can wait on, or start a new game with another agent.";
const FIRST = "The first game of a kind on this machine may take a minute: agents are compiled, and some solve the game first. "
  + "Later ones start at once.";

export class StatusPart {
  constructor({ store, cursor, presenter }) {
    Object.assign(this, { store, cursor, presenter, asked: 0 });
    this.words = h("p", { class: "status-words", role: "status", "aria-live": "polite" });
    this.hint = h("p", { class: "quiet hint", hidden: true });
    this.lost = h("p", { class: "bar bad", role: "status", hidden: true }, LOST);
    this.past = h("p", { class: "bar past", hidden: true });
    this.element = h("div", { class: "status" }, this.lost, this.past, this.words, this.hint);
    this.timer = setInterval(() => this.explain(), 1000);
    this.update();
  }

  get behind() {
    return this.cursor.live && (!this.cursor.caughtUp || this.presenter.busy) && this.cursor.stop;
  }

  update() {
    const { store, cursor } = this;
    const past = !cursor.live && cursor.stop;
    const text = this.behind || past ? sayEvent(store, cursor.stop.event) : sayTurn(store);
    if (text !== this.words.textContent) this.words.textContent = text;
    this.words.classList.toggle("mine", !this.behind && !past && store.mine);
    this.lost.hidden = store.connected || !store.game;
    this.showPast();
    if (store.ask !== this.asked) Object.assign(this, { asked: store.ask, since: performance.now() });
    this.explain();
  }

  showPast() {
    const { cursor, store } = this;
    this.past.hidden = cursor.live || !cursor.stop;
    const where = store.ended ? "To the end" : store.mine ? "Back to the game: your turn" : "Back to the game";
    const back = h("button", { class: "primary", onclick: () => cursor.toLive() }, where);
    const place = `You are looking at the past: position ${cursor.index + 1} of ${store.stops.length}.`;
    if (!this.past.hidden) this.past.replaceChildren(h("span", {}, place), back);
  }

  // An agent that takes long: why that may be.
  explain() {
    const { store } = this, seat = store.live && !store.ended ? store.live.mover : null;
    const waited = performance.now() - this.since;
    const agent = seat !== null && store.seats[seat]?.kind === "agent" && waited > SLOW && !this.behind && store.connected;
    const time = `${Math.round(waited / 1000)} seconds`;
    const words = waited > STUCK ? `No answer for ${time}. ${STILL}` : `${FIRST} ${time} so far.`;
    this.hint.hidden = !agent;
    if (agent && this.hint.textContent !== words) this.hint.textContent = words;
  }

  close() {
    clearInterval(this.timer);
  }
}
