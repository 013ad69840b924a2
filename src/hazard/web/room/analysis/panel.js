// The analysis panel of a room: chances, moves, the next roll, the chances over the game, luck and skill. It follows the
// cursor and dispatches "change" whenever more is known of the position looked at.

import { h } from "../../lib/dom.js";
import { costOf, dress, half, known, mark, scaleOf, seatsOf } from "./figures.js";
import { GraphPart } from "./graph.js";
import { knowledgeOf } from "./knowledge.js";
import { LuckPart } from "./luck.js";
import { hint, MovesPart } from "./moves.js";
import { OutcomesPart } from "./outcomes.js";
import { BackgroundQuestions } from "./background.js";
import { moveWords } from "../words.js";

const SETTLE = 120; // milliseconds that a position is looked at before it is asked about
const LONG = 3000; // milliseconds after which a reason for waiting is given
const GAMES = 2000; // rollouts of the position before the last move
const REVIEW = 100; // rollouts from each position of the game, for the graph and for luck and skill
const COSTLY = 2000; // milliseconds; a review that takes longer is not repeated after every move
const SHARP = 0.002; // half the interval of chances with which rollouts end
const SLOW = "Thinking. The first analysis of a game may take a minute on a new machine, since its solver is compiled then; "
  + "later ones come at once.";

export const createAnalysis = (store, cursor) => new Analysis(store, cursor);

class Analysis extends EventTarget {
  constructor(store, cursor) {
    super();
    dress();
    Object.assign(this, { store, cursor, knowledge: knowledgeOf(store), scale: scaleOf(store) });
    Object.assign(this, { refused: null, maps: new WeakMap() });
    this.make();
    this.listen();
    this.follow();
  }

  make() {
    const { store, cursor, knowledge, scale } = this;
    this.known = h("div", { class: "known-place" });
    this.status = h("div", { class: "analysis-status", role: "status" });
    this.chances = h("section", { class: "analysis-chances", "aria-label": "chances" });
    this.last = h("p", { class: "last-move" });
    this.moves = new MovesPart(store, scale);
    this.outcomes = new OutcomesPart(store, knowledge, scale);
    this.graph = new GraphPart(store, cursor, knowledge, scale);
    this.luck = new LuckPart(store, cursor, knowledge, scale);
    this.background = new BackgroundQuestions(store, knowledge);
    const now = h("div", { class: "analysis-now" }, this.chances, this.last, this.moves.element, this.outcomes.element);
    const game = h("div", { class: "analysis-game" }, this.graph.element, this.luck.element);
    this.parts = h("div", { class: "analysis-parts" }, now, game);
    this.element = h("div", { class: "analysis" }, this.known, this.status, this.parts);
  }

  listen() {
    this.onMove = () => this.follow();
    this.onStore = ({ detail }) => this.heard(detail);
    this.onFound = ({ detail }) => this.learnt(detail);
    this.cursor.addEventListener("move", this.onMove);
    this.store.addEventListener("change", this.onStore);
    this.knowledge.addEventListener("change", this.onFound);
    this.moves.addEventListener("change", () => this.outcomes.show(this.found, this.moves.chosen));
  }

  heard({ why, code, text }) {
    const ours = why === "refused" && this.store.wanted !== null && ["busy", "state"].includes(code) && /analysis/.test(text);
    if (ours) this.refuse(text);
    else if (["snapshot", "link", "event"].includes(why)) this.follow();
    if (why === "event") this.graph.show();
  }

  refuse(text) {
    this.refused = text;
    this.store.wanted = null; // so that it can be asked for again
    this.draw();
  }

  // --- following the cursor ---------------------------------------------------------------------------------------------
  get stop() {
    return this.cursor.stop;
  }

  get found() {
    const found = this.stop && this.knowledge.at(this.stop.position);
    return found ? { ...found, position: this.stop.position, rolling: this.stop.rolling } : null;
  }

  // Better figures than these are not worth the work.
  get enough() {
    const { found } = this;
    return Boolean(found) && (found.final || (found.known === "rollout" && half(found) < SHARP));
  }

  follow() {
    clearTimeout(this.timer);
    if (this.looked !== this.stop?.seq) Object.assign(this, { refused: null, looked: this.stop?.seq, since: performance.now() });
    if (!this.stop || !this.store.mayAnalyse || this.enough) this.store.still();
    else this.timer = setTimeout(() => this.ask(), SETTLE);
    this.draw();
    this.wholeGame();
  }

  ask() {
    if (this.refused || !this.stop) return;
    this.store.analyse(this.stop.seq);
    this.timer = setTimeout(() => this.draw(), LONG);
  }

  learnt({ what, position }) {
    if (what === "analysis" && position === this.stop?.position) this.draw();
    else if (what === "analysis" && position === this.before?.position) this.drawLast();
    this.graph.show();
    if (what !== "analysis") this.luck.show();
    this.wholeGame();
    if (what !== "analysis" || position !== this.stop?.position) return;
    this.dispatchEvent(new CustomEvent("change", { detail: { position } }));
    if (this.enough) this.store.still();
    requestAnimationFrame(() => !this.background.closed && this.moves.hint());
  }

  // The review is asked for once something is known, so that nothing is compiled twice. One that takes long is repeated
  // when the game is over, or on request.
  wholeGame() {
    const { knowledge, store } = this, { review } = knowledge;
    this.luck.show();
    const ready = store.mayAnalyse && store.stops.length > 1 && store.found.size > 0;
    const enough = knowledge.reviewed || knowledge.problem || (knowledge.took > COSTLY && !store.ended);
    if (!ready || enough) return this.background.run();
    this.later ??= setTimeout(() => this.askReview(), review ? 1200 : 100);
  }

  askReview() {
    this.later = null;
    this.knowledge.askReview(REVIEW);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------
  draw() {
    const { found } = this;
    this.drawStatus(found);
    this.known.replaceChildren(...(found ? [known(found, this.scale)] : []));
    this.chances.hidden = !found;
    if (found) this.drawChances(found);
    this.moves.show(found, this.store.stops[this.cursor.index + 1]?.event.move);
    this.outcomes.show(found, this.moves.chosen);
    this.graph.show();
    this.drawLast();
    this.parts.hidden = !this.store.mayAnalyse || !this.stop;
  }

  drawStatus(found) {
    const words = this.words(found);
    if (words === this.said) return;
    this.said = words;
    const shown = [h("p", {}, words), this.refused ? this.again() : ""];
    this.status.replaceChildren(...(words ? shown : []));
  }

  words(found) {
    if (!this.store.mayAnalyse) return "This room was made without analysis. It can be analysed once the game is over.";
    if (!this.stop) return "The game has not begun.";
    if (this.refused) return `There is no answer: ${this.refused}.`;
    if (found) return "";
    if (!this.store.connected) return "The connection is lost. The analysis goes on by itself once it is back.";
    return performance.now() - this.since >= LONG ? SLOW : "Thinking ...";
  }

  again() {
    const ask = () => {
      this.refused = null;
      this.follow();
    };
    return h("button", { onclick: ask }, "Try again");
  }

  drawChances(found) {
    const seats = seatsOf(this.store);
    const whole = Math.max(1, found.chances.reduce((sum, chance) => sum + chance, 0));
    const parts = seats.map((person) => this.share(person, found.chances[person.seat] / whole));
    this.chances.replaceChildren(
      ...(this.scale.chances ? [h("div", { class: "share-bar", "aria-hidden": "true" }, parts)] : []),
      h("ul", { class: "share-words" }, seats.map((person) => this.shareWords(person, found))));
  }

  share({ seat, mark: text }, part) {
    const sign = part > 0.07 ? h("span", { class: "share-mark" }, text) : null;
    return h("span", { class: `share seat-${seat}`, style: { width: `${100 * part}%` } }, sign);
  }

  shareWords(person, found) {
    const { seat } = person, wide = (found.upper[seat] - found.lower[seat]) / 2;
    const doubt = found.known === "rollout" ? h("span", { class: "quiet" }, ` ± ${this.scale.plain(wide)}`) : null;
    const turn = this.over || found.mover !== seat ? "" : found.moves.length ? "to move" : "rolling";
    const value = this.scale.value(found.chances[seat]) + (this.scale.chances ? "" : ` ${this.scale.unit}`);
    return h("li", {}, mark(person), h("span", { class: "share-name" }, person.name),
      h("strong", {}, value), doubt, turn ? h("span", { class: "quiet turn" }, turn) : null);
  }

  get over() {
    return Boolean(this.store.ended) && this.cursor.caughtUp;
  }

  // --- the last move ----------------------------------------------------------------------------------------------------
  // The last decision up to here, one's own if one has a seat.
  get lastMove() {
    const { stops, seat } = this.store;
    const wanted = (event) => event.type === "moved" && (seat === null || event.seat === seat);
    return stops.findLastIndex(({ event }, index) => index <= this.cursor.index && wanted(event));
  }

  get before() {
    return this.store.stops[this.lastMove - 1] ?? null;
  }

  drawLast() {
    const stop = this.store.stops[this.lastMove], { before } = this;
    this.last.hidden = !stop || !before;
    if (this.last.hidden) return;
    const found = this.knowledge.at(before.position);
    const who = this.store.seat === null ? `${seatsOf(this.store)[stop.event.seat].name}, last move` : "Your last move";
    const cost = found ? this.sayCost(found, stop.event.move) : [h("span", { class: "quiet" }, " (thinking ...)")];
    const move = h("strong", {}, moveWords(this.store, stop.event.move));
    this.last.replaceChildren(h("span", { class: "quiet" }, `${who}: `), move, ...cost);
    if (!found && this.store.mayAnalyse) this.askBefore(before);
  }

  askBefore(before) {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => before === this.before && this.knowledge.askStop(before, GAMES).catch(() => null), 500);
  }

  sayCost(found, move) {
    const cost = costOf(found, move), { scale } = this;
    if (!cost) return ["."];
    if (found.moves.length === 1) return [". There was no choice."];
    if (cost.nothing) return [h("span", { class: "good" }, " ✓ the best move"), "."];
    const values = `${scale.value(cost.best.value)} instead of ${scale.value(cost.made.value)}`;
    const better = [" ", h("strong", {}, moveWords(this.store, cost.best.move)), ` (${values}).`];
    if (cost.sure) return [" cost ", h("strong", { class: "bad" }, scale.points(cost.cost)), ". Better was", ...better];
    const doubt = `${scale.points(cost.cost)}, give or take ${scale.plain(cost.doubt)}`;
    return [`. Rollouts cannot tell it from the best: ${doubt}. They prefer`, ...better];
  }

  // --- what the page asks -----------------------------------------------------------------------------------------------
  values(position) {
    const found = this.knowledge.at(position);
    if (!found?.moves.length) return null;
    if (!this.maps.has(found)) this.maps.set(found, new Map(found.moves.map(({ move, ...rest }) => [move, rest])));
    return this.maps.get(found);
  }

  close() {
    for (const timer of [this.timer, this.later, this.soon]) clearTimeout(timer);
    this.cursor.removeEventListener("move", this.onMove);
    this.store.removeEventListener("change", this.onStore);
    this.knowledge.removeEventListener("change", this.onFound);
    this.background.closed = true;
    this.graph.close();
    this.store.still();
    hint(null);
  }
}
