// After a game: what happened, and all mistakes in words, the costliest first, each with its position, to be tried again.

import { post } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { costOf, dress, reason, sayGames, scaleOf, seatsOf } from "./figures.js";
import { knowledgeOf } from "./knowledge.js";
import { story } from "./story.js";
import { moveWords } from "../words.js";

const SHOWN = 3; // mistakes that are shown unless one asks for all
const MOST = 12; // that are analysed, where that is quick
const REVIEW = 100; // rollouts from each position of the game, to find moves worth a second look
const TRIED = 8; // of those, the ones that are analysed
const GAMES = [500, 2000]; // rollouts of each move then: first of all of them, then of those that are shown

export const createReview = (store, cursor, { branch }) => new Review(store, cursor, branch);

class Review {
  constructor(store, cursor, branch) {
    dress();
    Object.assign(this, { store, cursor, branch, knowledge: knowledgeOf(store), scale: scaleOf(store), rows: [], all: false });
    Object.assign(this, { boards: new Map() });
    this.title = h("h3", {}, store.seat === null ? "Mistakes" : "Your mistakes");
    this.story = h("p", { class: "story" });
    this.more = h("button", { class: "more", hidden: true, onclick: () => this.showAll() });
    this.status = h("p", { class: "quiet", role: "status" });
    this.list = h("ol", { class: "costly" });
    this.element = h("section", { class: "review", "aria-label": "mistakes" },
      this.story, this.title, this.status, this.list, this.more);
    this.find();
  }

  say(words = "", ...more) {
    this.status.replaceChildren(words, ...more);
  }

  async find() {
    this.say("Looking for the costliest moves. In a long game this takes a while.");
    const review = await this.knowledge.askReview(REVIEW);
    if (!review) return this.fail(this.knowledge.problem);
    const candidates = this.candidates(review);
    try {
      for (const candidate of candidates) await this.weigh(candidate, GAMES[0]);
      this.tell(review);
      this.sayStory(review);
      for (const candidate of this.rows.slice(0, SHOWN)) await this.weigh(candidate, GAMES[1]);
      this.tell(review);
    } catch (problem) {
      this.fail(problem);
    }
  }

  fail(problem) {
    this.say(`${problem.message} `, h("button", { onclick: () => this.find() }, "Try again"));
  }

  // --- finding ----------------------------------------------------------------------------------------------------------
  // Decisions that seem to have lost something, the costliest first.
  candidates(review) {
    const { seat } = this.store, { stops } = review;
    const turn = (number) => 1 + review.turns.findIndex(({ first, last }) => first <= number && number <= last);
    return review.steps
      .map((step, number) => ({ ...step, before: stops[number], turn: turn(number), loss: -step.change[step.seat] }))
      .filter((step) => !step.rolled && step.before && step.loss > 1e-9 && (seat === null || step.seat === seat))
      .sort((a, b) => b.loss - a.loss)
      .slice(0, review.known === "rollout" ? TRIED : MOST);
  }

  sayStory({ seats }) {
    const { seat } = this.store;
    if (seat !== null) this.story.textContent = story(seats[seat], this.rows.filter((row) => row.sure).length, this.scale);
  }

  showAll() {
    this.all = true;
    this.draw();
  }

  async weigh(candidate, games) {
    const found = await this.knowledge.askStop(candidate.before, games), cost = costOf(found, candidate.text);
    const rows = this.rows.filter((row) => row.before !== candidate.before);
    if (cost && !cost.nothing) rows.push({ ...candidate, ...cost, found });
    this.rows = rows.sort((a, b) => b.sure - a.sure || b.cost - a.cost);
    this.draw();
  }

  // The focus stays: a button that is drawn again is found by its label.
  draw() {
    const label = this.list.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
    const shown = this.all ? this.rows : this.rows.slice(0, SHOWN);
    this.more.hidden = shown.length === this.rows.length;
    this.more.textContent = `Show all ${this.rows.length}`;
    this.list.replaceChildren(...shown.map((row) => this.item(row)));
    if (label) [...this.list.querySelectorAll("button")].find((button) => button.getAttribute("aria-label") === label)?.focus();
  }

  // --- telling ----------------------------------------------------------------------------------------------------------
  tell(review) {
    const sure = this.rows.slice(0, SHOWN).filter((row) => row.sure).length, who = this.store.seat === null ? "Nobody" : "You";
    if (!this.rows.length) return this.say(this.none(review, who));
    if (!sure) return this.say("Rollouts cannot tell any of these moves from the best; they are those that look worst.");
    const how = { exact: "exact values", rollout: "rollouts", network: "a network's judgement" }[review.known];
    this.say(`By ${how}: what each move gave away against the best.`);
  }

  none(review, who) {
    const { reason, seat } = this.store.ended ?? {};
    if (reason === "forfeit" && seat === this.store.seat) return "Giving up was the costliest: no move before it was worse.";
    if (review.known === "exact") return `${who} gave nothing away: every choice was the best.`;
    const judge = review.known === "rollout" ? "rollouts" : "the network";
    return `No move was found that gave anything away, as far as ${judge} can tell.`;
  }

  item(row) {
    const { seat, name } = seatsOf(this.store)[row.seat], { before } = row;
    const words = (move) => moveWords(this.store, move), strong = (move) => h("strong", {}, words(move));
    const where = `turn ${row.turn}, ${words(row.text)}`;
    const turn = h("span", { class: "quiet" }, `Turn ${row.turn}. `), hidden = this.trying === before.seq;
    const action = (text, label, onclick) => h("button", { "aria-label": `${label} ${where}`, onclick }, text);
    return h("li", { class: `seat-${seat}` },
      h("div", { class: "small-board", inert: true, "aria-hidden": "true" }, this.small(before)),
      h("div", {}, ...(hidden ? [this.puzzle] : [
        h("p", {}, turn, `${name} chose `, strong(row.text), "; better was ", strong(row.best.move), "."),
        h("p", {}, ...this.sayCost(row)),
        row.sure && row.best.why ? h("dl", { class: "why-both" }, [row.made, row.best].map((one) => [
          h("dt", {}, words(one.move)), h("dd", {}, reason(this.store, row.seat, one.why))])) : ""]),
      h("div", { class: "costly-actions" },
        action("Look", "look at", () => this.look(before.seq)),
        hidden ? "" : action("Try again", "try again", () => this.tryAgain(row)),
        action("Play on from here", "play on from", () => this.playOn(before.seq)))));
  }

  // The position of a mistake, drawn small.
  small(stop) {
    if (!this.boards.has(stop.position)) this.boards.set(stop.position, this.drawn(stop));
    return this.boards.get(stop.position);
  }

  drawn({ position, mover, moves }) {
    const { game, parameters, gameModule, seats } = this.store, place = h("div", { class: "small-inner" });
    const view = {
      position, event: null, before: null, moves: [], choose: () => null, values: null, duration: 0, seat: mover,
      payoffs: null, mover, rolling: false, over: false, legal: moves,
    };
    post("/api/boards", { game, parameters, position }).then(({ board: land }) => {
      const board = gameModule.create({ game, parameters, seats, land });
      place.replaceChildren(board.element);
      return board.show(view);
    }).catch((problem) => console.warn(problem));
    return place;
  }

  look(seq) {
    this.cursor.goToSeq(seq);
    document.querySelector(".board-place")?.scrollIntoView({ block: "center" });
  }

  // The position as a puzzle: the answer is hidden until a move is made.
  async tryAgain({ before, found, best }) {
    const { game, parameters, gameModule: module } = this.store;
    try {
      const { createPuzzle } = await import("../../learn/puzzle.js");
      const puzzle = { position: before.position, value: best.value, choices: found.moves, fooled: [] };
      const made = await createPuzzle({ game, parameters, module, puzzle });
      Object.assign(this, { puzzle: made.element, trying: before.seq });
      this.draw();
      made.element.scrollIntoView({ block: "nearest" });
    } catch (problem) {
      this.say(problem.message);
    }
  }

  sayCost({ cost, doubt, sure, best, made, found }) {
    const { scale } = this, values = `${scale.value(made.value)} instead of ${scale.value(best.value)}`;
    const games = found.known === "rollout" ? `, ${sayGames(found)}` : "";
    if (!sure) return [`Rollouts cannot tell: ${scale.points(cost)}, give or take ${scale.plain(doubt)} (${values}${games}).`];
    const about = doubt > 0 ? ` ± ${scale.plain(doubt)}` : "";
    return ["It cost ", h("strong", { class: "bad" }, scale.points(cost)), `${about} (${values}${games}).`];
  }

  async playOn(seq) {
    try {
      await this.branch(seq);
    } catch (problem) {
      this.say(problem.message);
    }
  }
}
