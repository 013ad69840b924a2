// The analysis of a single position: chances, every move with its value, the next roll.

import { h } from "../../lib/dom.js";
import { choose, setting } from "../../lib/settings.js";
import { dress, known, mark, scaleOf, seatsOf } from "./figures.js";
import { knowledgeOf } from "./knowledge.js";
import { MovesPart } from "./moves.js";
import { OutcomesPart } from "./outcomes.js";

const SLOW = "Thinking. The first analysis of a game may take a minute on a new machine, since its solver is compiled then.";
const GAMES = [500, 2000, 8000]; // rollouts that are waited for, one after the other

// What the parts of the analysis want to know of a room, for a position that has none.
function roomless({ game, parameters, seats }, gameModule) {
  const named = seats.map((title) => ({ title, name: "", kind: "person" }));
  const facts = { game, gameModule, parameters, seats: named, seat: null, found: new Map(), connected: true, mayAnalyse: true };
  return Object.assign(new EventTarget(), facts);
}

export class PositionPanel {
  // `changed()` is called when there are other values to draw.
  constructor(facts, gameModule, changed) {
    dress();
    const store = roomless(facts, gameModule), scale = scaleOf(store);
    Object.assign(this, { facts, store, scale, changed, knowledge: knowledgeOf(store), asked: 0 });
    this.box = h("input", { type: "checkbox", role: "switch", checked: setting("analysis"), onchange: () => this.turn() });
    this.status = h("p", { class: "quiet", role: "status" });
    this.chances = h("div", {});
    this.moves = new MovesPart(store, scale);
    this.outcomes = new OutcomesPart(store, this.knowledge, scale);
    this.moves.addEventListener("change", () => this.outcomes.show(this.found, this.moves.chosen));
    this.parts = h("div", { class: "analysis" }, this.status, this.chances, this.moves.element, this.outcomes.element);
    this.element = h("section", { class: "panel analysis-panel", "aria-label": "analysis" },
      h("h2", { class: "switch-title" }, h("label", { class: "switch" }, this.box, h("span", {}, "Analysis"))), this.parts);
    this.turn();
  }

  get found() {
    const { position, rolling } = this.facts, found = this.box.checked && this.knowledge.at(position);
    return found ? { ...found, position, rolling } : null;
  }

  get values() {
    return this.found?.moves.length ? new Map(this.found.moves.map((row) => [row.move, row])) : null;
  }

  turn() {
    choose("analysis", this.box.checked);
    this.parts.hidden = !this.box.checked;
    this.draw();
    if (this.box.checked) this.ask(++this.asked);
  }

  async ask(mine) {
    const wanted = () => this.box.checked && !this.closed && mine === this.asked;
    try {
      for (const games of this.found?.final ? [] : GAMES) {
        if (wanted()) await this.knowledge.askPosition(this.facts.position, games, wanted);
        if (wanted()) this.draw();
      }
    } catch (problem) {
      this.status.hidden = false;
      this.status.textContent = problem.message;
    }
  }

  draw() {
    const { found } = this;
    this.status.hidden = Boolean(found);
    this.status.textContent = SLOW;
    this.chances.replaceChildren(...(found ? [known(found, this.scale), this.shares(found)] : []));
    this.moves.show(found);
    this.outcomes.show(found, this.moves.chosen);
    this.changed();
  }

  shares(found) {
    const row = (person) => h("li", {}, mark(person), h("span", { class: "share-name" }, person.name),
      h("strong", {}, this.scale.value(found.chances[person.seat])));
    return h("ul", { class: "share-words" }, seatsOf(this.store).map(row));
  }

  close() {
    this.closed = true;
  }
}
