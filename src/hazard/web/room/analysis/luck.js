// Luck and skill: what the dice gave each seat and what choices gave away, in sum and turn by turn.

import { h } from "../../lib/dom.js";
import { fold, mark, sayGames, seatsOf, swing } from "./figures.js";

const MOST = 32000; // games from every position that a review rests on at most
const AGAINST_BEST = "The best choice changes nothing, any other gives something away.";
const AGAINST_AGENT = "Choices are measured against how that agent would have played on, so that a choice can also gain.";

export class LuckPart {
  constructor(store, cursor, knowledge, scale) {
    Object.assign(this, { store, cursor, knowledge, scale, working: false });
    this.body = h("div", { class: "luck" });
    this.element = fold("Luck and skill", { class: "analysis-luck" }, this.body);
    this.turns = h("details", { class: "luck-turns" });
  }

  show() {
    const { review, problem, reviewed } = this.knowledge, now = [review, problem, reviewed, this.working];
    this.element.hidden = this.store.stops.length < 2;
    if (this.shown?.every((part, at) => part === now[at])) return;
    this.shown = now;
    if (review) return this.draw(review);
    const words = problem ? problem.message : "Thinking. A long game takes a while.";
    this.body.replaceChildren(h("p", { class: "quiet" }, words), problem ? this.asker("Try again", 100) : "");
  }

  async ask(games) {
    this.working = true;
    this.show();
    await this.knowledge.askReview(games);
    this.working = false;
    this.show();
  }

  asker(words, games) {
    const ask = { class: "more", disabled: this.working, onclick: () => this.ask(games) };
    return h("button", ask, this.working ? "Thinking ..." : words);
  }

  draw(review) {
    const { seats } = review, parts = (row) => [row.luck, row.lost, row.given].map(Math.abs);
    const reach = Math.max(0.01, ...seats.flatMap(parts));
    const open = this.turns.open, scrolled = this.turns.lastChild?.scrollTop;
    const notes = [...this.vague(review), ...this.more(review)];
    this.body.replaceChildren(this.words(review), this.sums(review, reach), ...notes, this.turns);
    this.drawTurns(review);
    this.turns.open = open;
    if (scrolled) this.turns.lastChild.scrollTop = scrolled;
  }

  words(review) {
    const how = review.known === "rollout" ? `rollout (${sayGames(review)} from each position)` : review.known;
    const what = "What a roll changes is luck, what a move changes is skill.";
    const against = review.known === "rollout" ? AGAINST_AGENT : AGAINST_BEST;
    const till = this.knowledge.reviewed ? "" : ` Up to turn ${review.turns.length}.`;
    return h("p", { class: "quiet" }, h("strong", {}, how), `. ${what} ${against}${till}`);
  }

  vague({ seats }) {
    if (!seats.some((row) => row.luck_error > Math.abs(row.luck))) return [];
    return [h("p", {}, "So few games cannot tell luck from skill yet. More games make it sharper.")];
  }

  // What can be asked for on top: sharper figures, or the moves made since.
  more(review) {
    const stale = !this.knowledge.reviewed, rough = review.known === "rollout" && review.games < MOST;
    if (!stale && !rough) return [];
    const words = stale ? "Count the moves since then" : "Make it sharper with more games";
    return [this.asker(words, stale ? Math.max(100, review.games) : Math.min(MOST, 4 * review.games))];
  }

  // --- in sum -----------------------------------------------------------------------------------------------------------
  sums(review, reach) {
    const people = seatsOf(this.store);
    return h("table", { class: "luck-sums" },
      h("caption", { class: "unseen" }, "For each seat: what the dice and the choices changed"),
      review.seats.map((row) => this.seat(row, people[row.seat], reach)));
  }

  seat(row, person, reach) {
    const { scale } = this, line = (words, change, error) => this.line(words, change, error, reach);
    return h("tbody", { class: `seat-${row.seat}` },
      h("tr", {}, h("th", { scope: "rowgroup", colspan: 3 }, mark(person), h("span", {}, ` ${person.name}`),
        h("span", { class: "from-to" }, `from ${scale.value(row.start)} to ${scale.value(row.result)}`))),
      line("dice", row.luck, row.luck_error), line("own choices", -row.lost, row.lost_error),
      line("others’ choices", row.given, row.given_error));
  }

  // What is not beyond its interval is not shown.
  line(words, change, error, reach) {
    if (error > 0 && Math.abs(change) <= error) return this.unknown(words, error);
    const doubt = error > 0 ? h("span", { class: "quiet" }, ` ± ${this.scale.plain(error)}`) : null;
    return h("tr", {}, h("th", { scope: "row" }, words), h("td", { class: "swing-cell" }, swing(change, reach, error)),
      h("td", { class: "number" }, this.scale.signed(change), doubt));
  }

  unknown(words, error) {
    return h("tr", {}, h("th", { scope: "row" }, words),
      h("td", { class: "quiet", colspan: 2 }, `cannot be told yet: within ± ${this.scale.plain(error)}`));
  }

  // --- turn by turn -----------------------------------------------------------------------------------------------------
  drawTurns(review) {
    const people = seatsOf(this.store);
    const changes = review.turns.flatMap((turn) => [Math.abs(turn.luck[turn.seat]), Math.abs(turn.choices[turn.seat])]);
    const reach = Math.max(0.01, ...changes);
    const rows = review.turns.map((turn, number) => this.turn(turn, number, people[turn.seat], reach, review));
    const heads = ["turn", "dice", "", "choices", ""].map((text) => h("th", { scope: "col" }, text));
    this.turns.replaceChildren(h("summary", {}, `Turn by turn (${rows.length})`),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "luck and skill, turn by turn" },
        h("table", { class: "turn-table" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))));
  }

  turn(turn, number, person, reach, review) {
    const luck = turn.luck[turn.seat], choices = turn.choices[turn.seat];
    const go = () => this.cursor.goToSeq(review.stops[turn.first].seq);
    const about = (error) => (error > 0 ? `± ${this.scale.plain(error)}` : null);
    const told = (change, error) => !(error > 0 && Math.abs(change) <= error);
    const cells = (change, error) => [
      h("td", { class: "swing-cell" }, told(change, error) ? swing(change, reach, error) : ""),
      h("td", { class: "number", title: about(error) }, told(change, error) ? this.scale.signed(change) : "?"),
    ];
    const press = { class: "turn-go", "aria-label": `go to turn ${number + 1}, ${person.name}`, onclick: go };
    return h("tr", {},
      h("th", { scope: "row" }, h("button", press, mark(person), ` ${number + 1}`)),
      cells(luck, turn.luck_error), cells(choices, turn.choices_error));
  }
}
