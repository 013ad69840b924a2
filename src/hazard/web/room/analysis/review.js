// After a game: the costliest moves, in words, each to be looked at and tried again from there.

import { h } from "../../lib/dom.js";
import { costOf, dress, reason, sayGames, scaleOf, seatsOf } from "./figures.js";
import { knowledgeOf } from "./knowledge.js";
import { moveWords } from "../words.js";

const SHOWN = 3;
const REVIEW = 100; // rollouts from each position of the game, to find moves worth a second look
const TRIED = 8; // of those, the ones that are analysed
const GAMES = [500, 2000]; // rollouts of each move then: first of all of them, then of those that are shown

export const createReview = (store, cursor, { branch }) => new Review(store, cursor, branch);

class Review {
  constructor(store, cursor, branch) {
    dress();
    Object.assign(this, { store, cursor, branch, knowledge: knowledgeOf(store), scale: scaleOf(store), rows: [] });
    this.title = h("h3", {}, store.seat === null ? "The costliest moves" : "Your costliest moves");
    this.status = h("p", { class: "quiet", role: "status" });
    this.list = h("ol", { class: "costly" });
    this.element = h("section", { class: "review", "aria-label": "the costliest moves" }, this.title, this.status, this.list);
    this.find();
  }

  say(words, ...more) {
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
      .slice(0, review.known === "rollout" ? TRIED : SHOWN);
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
    this.list.replaceChildren(...this.rows.slice(0, SHOWN).map((row) => this.item(row)));
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
    const turn = h("span", { class: "quiet" }, `Turn ${row.turn}. `);
    const again = { class: "primary", "aria-label": `try again from ${where}`, onclick: () => this.tryAgain(before.seq) };
    return h("li", { class: `seat-${seat}` },
      h("p", {}, turn, `${name} chose `, strong(row.text), "; better was ", strong(row.best.move), "."),
      h("p", {}, ...this.sayCost(row)),
      row.sure && row.best.why ? h("dl", { class: "why-both" }, [row.made, row.best].map((one) => [
        h("dt", {}, words(one.move)), h("dd", {}, reason(this.store, row.seat, one.why))])) : "",
      h("div", { class: "costly-actions" },
        h("button", { "aria-label": `look at ${where}`, onclick: () => this.cursor.goToSeq(before.seq) }, "Look"),
        h("button", again, "Try again from here")));
  }

  sayCost({ cost, doubt, sure, best, made, found }) {
    const { scale } = this, values = `${scale.value(made.value)} instead of ${scale.value(best.value)}`;
    const games = found.known === "rollout" ? `, ${sayGames(found)}` : "";
    if (!sure) return [`Rollouts cannot tell: ${scale.points(cost)}, give or take ${scale.plain(doubt)} (${values}${games}).`];
    const about = doubt > 0 ? ` ± ${scale.plain(doubt)}` : "";
    return ["It cost ", h("strong", { class: "bad" }, scale.points(cost)), `${about} (${values}${games}).`];
  }

  async tryAgain(seq) {
    try {
      await this.branch(seq);
    } catch (problem) {
      this.say(problem.message);
    }
  }
}
