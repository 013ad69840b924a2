// Every legal move with its value, best first. Pointing at a move shows it on the board; pressing one keeps it shown.

import { h, set } from "../../lib/dom.js";
import { costOf, moveSpoken, reason } from "./figures.js";
import { moveWords } from "../words.js";

const SHOWN = 8; // moves that are listed unless one asks for all

// What can be pressed on the board for a move, or shows its way, gets the class "hint". Boards draw again at times, so
// it is said again.
export function hint(move) {
  for (const element of document.querySelectorAll("[data-move], [data-way]")) {
    element.classList.toggle("hint", move !== null && (element.dataset.move ?? element.dataset.way) === move);
  }
}

export class MovesPart extends EventTarget {
  constructor(store, scale) {
    super();
    Object.assign(this, { store, scale, rows: new Map(), position: null, chosen: null, pointed: null, all: false });
    this.list = h("ol", { class: "move-list" });
    this.more = h("button", { class: "more", onclick: () => this.showAll() });
    this.note = h("p", { class: "quiet note" }, "? less than rollouts can tell so far");
    this.element = h("section", { class: "analysis-moves", "aria-label": "moves and their values" },
      h("h3", {}, "Moves"), this.list, this.note, this.more);
  }

  // --- what is seen ---------------------------------------------------------------------------------------------------
  // `played` is the move that was made here, if the past is looked at.
  show(found, played = null) {
    this.played = played;
    if (found?.position !== this.position) this.begin(found?.position ?? null);
    this.found = found;
    this.element.hidden = !found?.moves.length;
    if (!this.element.hidden) this.draw();
    this.hint();
  }

  begin(position) {
    Object.assign(this, { position, chosen: null, pointed: null, all: false });
    this.rows.clear();
  }

  draw() {
    const { moves } = this.found, count = this.all || moves.length <= SHOWN + 2 ? moves.length : SHOWN;
    const wanted = ({ move }, number) => number < count || move === this.chosen || move === this.played;
    const focused = document.activeElement;
    this.list.replaceChildren(...moves.map((row, number) => this.row(row, !wanted(row, number))));
    if (this.list.contains(focused)) focused.focus({ preventScroll: true });
    this.note.hidden = !this.list.querySelector("li:not([hidden]) .unsure");
    this.more.hidden = moves.every(wanted);
    this.more.textContent = `Show all ${moves.length} moves`;
  }

  showAll() {
    const first = this.list.querySelector("li[hidden]");
    this.all = true;
    this.draw();
    first?.firstChild.focus();
  }

  // Rows are kept while a position is refined, so that what is pointed at or focused stays.
  row(found, hidden) {
    const { move } = found;
    if (!this.rows.has(move)) this.rows.set(move, this.newRow(move));
    const item = this.rows.get(move), button = item.firstChild;
    const cost = costOf(this.found, move), played = move === this.played ? h("span", { class: "played" }, "played") : null;
    const shown = found === this.found.moves[0] || move === this.played || move === this.chosen;
    item.hidden = hidden;
    item.lastChild.replaceChildren(...(shown && found.why ? [reason(this.store, this.found.mover, found.why)] : []));
    set(button, "aria-pressed", String(this.chosen === move));
    set(button, "aria-label", this.label(found, cost));
    button.classList.toggle("best", cost.nothing);
    button.replaceChildren(
      h("span", { class: "move-name" }, moveWords(this.store, move), played), this.bar(found),
      h("span", { class: "move-value" }, this.scale.value(found.value)),
      h("span", { class: "move-cost" }, this.costWords(cost)));
    return item;
  }

  newRow(move) {
    const point = (on) => () => this.point(on ? move : null);
    return h("li", {}, h("button", {
      class: "move-row", "data-of": move, onclick: () => this.choose(move),
      onpointerenter: point(true), onpointerleave: point(false), onfocus: point(true), onblur: point(false),
    }), h("div", { class: "why-place" }));
  }

  label({ move, value }, cost) {
    const unsure = cost.sure ? "" : ", less than rollouts can tell";
    const words = cost.nothing ? "best" : `costs ${this.scale.points(cost.cost)}${unsure}`;
    const name = `${moveSpoken(this.store, move)}${move === this.played ? ", played" : ""}`;
    return `${name}: ${this.scale.value(value)}, ${words}. Show on the board`;
  }

  costWords(cost) {
    if (this.found.moves.length === 1) return "only";
    if (cost.nothing) return "★ best";
    return [this.scale.signed(cost.made.value - cost.best.value), cost.sure ? null : h("span", { class: "unsure" }, " ?")];
  }

  // The value as a bar over all that is possible; the interval as a line.
  bar({ value, lower, upper }) {
    const [low, high] = this.range(), at = (x) => Math.max(0, Math.min(100, (100 * (x - low)) / (high - low)));
    const fill = h("span", { class: "value-fill", style: { width: `${at(value)}%` } });
    const line = h("span", { class: "value-doubt", style: { left: `${at(lower)}%`, width: `${at(upper) - at(lower)}%` } });
    return h("span", { class: `value-bar seat-${this.found.mover}` }, fill, upper - lower > 1e-6 ? line : null);
  }

  range() {
    if (this.scale.chances) return [0, 1];
    const values = this.found.moves.flatMap(({ lower, upper }) => [lower, upper]);
    const low = Math.min(...values), high = Math.max(...values);
    return [low - 0.2 * (high - low) - 0.01, high];
  }

  // --- what is pointed at and pressed ---------------------------------------------------------------------------------
  point(move) {
    this.pointed = move;
    this.hint();
  }

  choose(move) {
    this.chosen = this.chosen === move ? null : move;
    this.draw();
    this.hint();
    this.dispatchEvent(new Event("change"));
  }

  hint() {
    hint(this.pointed ?? this.chosen);
  }
}
