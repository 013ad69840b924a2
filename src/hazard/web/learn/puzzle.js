// One puzzle: a board on which a move is to be chosen, and what is said of it. The answer stays hidden until then.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { titleOf } from "../lib/seats.js";
import { label } from "../room/board.js";
import { listen } from "../room/keys.js";
import { moveWords } from "../room/words.js";
import { dress, scaleOf } from "../room/analysis/figures.js";
import { styled } from "../lib/styles.js";

const SAME = 1e-3; // what costs less than this is as good as the best

// `puzzle` is {position, choices: [{move, cost, why}]}, the best first; `done(right)` hears of the first answer.
export async function createPuzzle({ game, parameters, module, puzzle, done = () => null }) {
  dress();
  const request = { game, parameters, position: puzzle.position };
  const [facts, { board: land }] = await Promise.all(
    [post("/api/positions", request), post("/api/boards", request), styled("/static/learn/learn.css")]);
  return new PuzzleBoard({ game, parameters, module, puzzle, done, facts, land });
}

class PuzzleBoard {
  constructor(given) {
    Object.assign(this, given, { tries: [], shown: false });
    const { game, parameters, module, facts, land } = given;
    const seats = facts.seats.map((title, seat) => ({ title, name: seat === facts.mover ? "You" : "", kind: "person" }));
    Object.assign(this, { words: { gameModule: module }, scale: scaleOf({ gameModule: module, parameters }) });
    this.board = module.create({ game, parameters, seats, land });
    this.place = h("div", { class: "board-place" }, this.board.element);
    this.said = h("div", { class: "puzzle-said", role: "status" });
    this.answer = h("div", { class: "puzzle-answer" });
    this.element = h("div", { class: "puzzle" }, h("div", { class: "panel board-panel" }, this.place), this.said, this.answer);
    this.unlisten = listen(this.board.element);
    this.draw();
    this.ask();
  }

  get best() {
    return this.puzzle.choices.filter(({ cost }) => cost <= SAME * this.span);
  }

  // Costs are compared with a win, or with the largest cost where the game is played for something else.
  get span() {
    return this.scale.chances ? 1 : Math.max(...this.puzzle.choices.map(({ cost }) => cost));
  }

  draw() {
    const { facts, puzzle } = this, names = Object.keys(facts.moves);
    const values = this.shown ? new Map(puzzle.choices.map(({ move, cost }) => [move, this.valued(cost)])) : null;
    const view = {
      position: facts.position, event: null, before: null, moves: this.shown ? [] : names,
      choose: (move) => this.choose(move), values, duration: 0, seat: facts.mover, payoffs: null,
      mover: facts.mover, rolling: false, over: false, legal: names,
    };
    label(this.place, view);
    this.board.show(view);
  }

  valued(cost) {
    const value = this.puzzle.value - cost;
    return { value, cost, lower: value, upper: value };
  }

  // --- asking and answering -------------------------------------------------------------------------------------------
  ask() {
    const { seats, mover } = this.facts, who = titleOf(seats[mover]);
    this.say(h("p", {}, `You are ${/^player/.test(who) ? who : `the ${who}`}. What is the best move?`), this.giveUp("Show the answer"));
  }

  giveUp(text) {
    return h("button", { onclick: () => this.reveal(null) }, text);
  }

  say(...parts) {
    this.said.replaceChildren(...parts);
  }

  choose(move) {
    const right = this.best.some((one) => one.move === move), first = !this.tries.length;
    this.tries.push(move);
    if (first) this.done(right);
    if (right) return this.reveal(move);
    const { cost } = this.puzzle.choices.find((one) => one.move === move);
    this.say(h("p", {}, h("strong", { class: "bad" }, "Not the best. "), this.name(move), ` costs ${this.scale.points(cost)}. Try another move.`),
      this.giveUp("Show the answer"));
    return this.draw();
  }

  reveal(move) {
    if (!this.tries.length) this.done(false);
    this.shown = true;
    const [best] = this.best, { choices } = this.puzzle;
    const made = this.tries.find((one) => !this.best.some((good) => good.move === one));
    const names = this.best.map((one) => one.move);
    const verdict = move !== null && this.tries.length === 1 ? [h("strong", { class: "good" }, "✓ Right. ")] : [];
    const also = names.length > 1 ? ` ${names.length} moves are as good.` : "";
    this.say(h("p", {}, verdict, this.name(move ?? best.move), ` is the best move.${also}`));
    const other = choices.find((one) => (made ? one.move === made : !names.includes(one.move)));
    const told = [choices.find((one) => one.move === (move ?? best.move)), other];
    this.answer.replaceChildren(this.reasons(told.filter((one) => one?.why)), this.fooled(), this.all());
    this.draw();
    this.answer.dispatchEvent(new CustomEvent("answered", { bubbles: true }));
  }

  name(move) {
    return h("strong", {}, moveWords(this.words, move));
  }

  reasons(told) {
    return h("dl", { class: "why-both" }, told.map(({ move, why }) => [h("dt", {}, moveWords(this.words, move)), h("dd", { class: "why" }, why)]));
  }

  fooled() {
    const { fooled = [] } = this.puzzle;
    return fooled.length ? h("p", { class: "quiet" }, `Wrong here too: ${fooled.join(", ")}.`) : "";
  }

  all() {
    const row = ({ move, cost }) => h("tr", {},
      h("td", {}, moveWords(this.words, move)),
      h("td", { class: "number" }, this.scale.value(this.puzzle.value - cost)),
      h("td", { class: "number" }, cost <= SAME * this.span ? "★ best" : this.scale.signed(-cost)));
    return h("table", { class: "puzzle-moves" }, h("thead", {}, h("tr", {}, h("th", {}, "move"),
      h("th", { class: "number" }, this.scale.chances ? "chance to win" : this.scale.unit), h("th", { class: "number" }, "costs"))),
    h("tbody", {}, this.puzzle.choices.map(row)));
  }

  close() {
    this.unlisten();
  }
}
