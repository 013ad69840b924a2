// The next roll as a map: each way the dice can land, how likely it is, and what it does to the chances of who rolls.

import { h, percent, sleep } from "../../lib/dom.js";
import { costOf, fold, landing, sayGames, seatsOf, swing } from "./figures.js";
import { moveWords } from "../words.js";

const GAMES = [100, 500, 2000]; // rollouts of each way to land that are waited for, one after the other
const MANY = 40; // ways to land with which the first of them are enough
const LISTED = 12; // more ways to land are drawn as a histogram, with the best and the worst of them
const ENDS = 3;
const TRIED = 3; // of the best moves: the first that rolls is shown
const STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class OutcomesPart {
  constructor(store, knowledge, scale) {
    Object.assign(this, { store, knowledge, scale, key: null, all: false });
    this.body = h("div", { class: "outcomes" });
    this.element = fold("The next roll", { class: "analysis-roll", ontoggle: () => this.again() }, this.body);
  }

  again() {
    if (this.element.open && this.wanted) this.show(...this.wanted);
  }

  // `found` is the analysis of the position looked at; `chosen` a move of it, or null for the best that rolls.
  show(found, chosen) {
    this.wanted = [found, chosen];
    this.element.hidden = !found || (!found.moves.length && !found.outcomes.length && !found.rolling);
    if (this.element.hidden || !this.element.open) return;
    if (!found.moves.length) return this.drawOnce(`${found.position} ${found.games}`, found, "In the air:");
    const key = `${found.position} | ${chosen ?? `best ${this.lead(found)}`}`;
    if (key === this.key) return;
    this.key = key;
    this.all = false;
    this.look(found, chosen, key).catch((problem) => this.key === key && this.say(problem.message));
  }

  // The move that was the best when first seen, until it is known not to be.
  lead(found) {
    const kept = this.led?.position === found.position ? costOf(found, this.led.move) : null;
    if (!kept || kept.sure) this.led = { position: found.position, move: found.moves[0].move };
    return this.led.move;
  }

  drawOnce(key, found, words) {
    if (this.key !== key) this.draw(found, words);
    this.key = key;
  }

  // --- looking ahead --------------------------------------------------------------------------------------------------
  async look(found, chosen, key) {
    const moves = chosen ? [chosen] : found.moves.slice(0, TRIED).map((row) => row.move);
    const wanted = () => this.key === key && this.element.isConnected;
    if (!this.body.children.length) this.say("Looking ahead. Where dice can land in many ways, rollouts take a while.");
    await sleep(250); // a game that goes on, or an arrow key held down, asks for nothing
    for (const move of moves) {
      const rolls = wanted() && (await this.after(found.position, move, wanted));
      if (!wanted()) return;
      if (rolls) return this.refine(rolls, `If the move is “${moveWords(this.store, move)}”:`, wanted);
    }
    this.say(this.nothing(chosen, moves));
  }

  // The analysis of where a move leads, if dice are rolled there; null if somebody is to decide, or the game is over.
  async after(position, move, wanted) {
    const ahead = (await this.knowledge.factsOf(position)).moves[move], { rolling, over } = await this.knowledge.factsOf(ahead);
    if (!rolling || over) return null;
    return { ...(await this.knowledge.askPosition(ahead, GAMES[0], wanted)), position: ahead };
  }

  async refine(first, words, wanted) {
    this.draw(first, words);
    for (const games of first.outcomes.length > MANY ? [] : GAMES) {
      const found = await this.knowledge.askPosition(first.position, games, wanted);
      if (!wanted()) return;
      if (found.games > first.games) this.draw(found, words);
    }
  }

  nothing(chosen, moves) {
    if (chosen) return `No dice are rolled after “${moveWords(this.store, chosen)}”.`;
    if (moves.length === 1) return "No dice are rolled after this move.";
    return "No dice are rolled after the best moves. Press another move in the list to see its roll.";
  }

  say(words) {
    this.body.replaceChildren(h("p", { class: "quiet" }, words));
  }

  // --- drawing --------------------------------------------------------------------------------------------------------
  draw(found, words) {
    if (!found.outcomes.length) return this.say(`${words} The dice can land in more ways than can be shown.`);
    this.drawn = [found, words];
    const seat = found.mover, base = found.chances[seat];
    const rows = found.outcomes.map((row) => ({ ...row, after: row.chances[seat], change: row.chances[seat] - base }));
    const few = rows.length <= LISTED;
    const listed = few || this.all ? rows : ends(rows);
    this.body.replaceChildren(
      h("p", {}, `${words} ${this.summary(rows, seat)}`),
      ...(few ? [] : [this.histogram(rows)]), this.table(listed, rows),
      ...(few ? [] : [this.toggle(rows.length)]), ...this.doubt(found));
  }

  summary(rows, seat) {
    const { name } = seatsOf(this.store)[seat];
    const better = rows.reduce((sum, row) => sum + (row.change > 1e-12 ? row.probability : 0), 0);
    return `${percent(better, 0)} of the rolls are good for ${name === "You" ? "you" : name}.`;
  }

  doubt({ known, games, agent }) {
    if (known !== "rollout") return [];
    const wide = this.scale.chances ? `, each about ± ${this.scale.plain(0.98 / Math.sqrt(games))} points` : "";
    return [h("p", { class: "quiet" }, `By rollouts: ${sayGames({ games, agent })} from each way to land${wide}.`)];
  }

  table(listed, rows) {
    const gap = h("tr", { class: "gap" }, h("td", { colspan: 5 }, "⋯"));
    const reach = Math.max(...rows.map((row) => Math.abs(row.change)));
    const heads = [["roll"], ["how likely", "number"], ["change"], ["", "number"], ["then", "number"]];
    return h("table", { class: "outcome-table" },
      h("caption", { class: "unseen" }, "Ways to land, how likely they are, and what they change"),
      h("thead", {}, h("tr", {}, heads.map(([text, kind]) => h("th", { scope: "col", class: kind }, text)))),
      h("tbody", {}, listed.map((row) => (row ? this.line(row, reach) : gap))));
  }

  line(row, reach) {
    return h("tr", {},
      h("th", { scope: "row" }, landing(row)),
      h("td", { class: "number" }, percent(row.probability)),
      h("td", { class: "swing-cell" }, swing(row.change, reach)),
      h("td", { class: "number" }, this.scale.signed(row.change)),
      h("td", { class: "number quiet" }, this.scale.value(row.after)));
  }

  toggle(count) {
    const words = this.all ? "Show the best and the worst only" : `Show all ${count} ways to land`;
    return h("button", { class: "more", onclick: () => this.showAll() }, words);
  }

  showAll() {
    this.all = !this.all;
    this.draw(...this.drawn);
    this.body.querySelector("button.more")?.focus();
  }

  // How likely which change is: columns from the worst to the best, parted at no change.
  histogram(rows) {
    const step = stepOf(rows), columns = binned(rows, step), most = Math.max(...columns.map((column) => column.likely));
    const words = (column) => this.columnWords(column, step), spoken = columns.filter(({ likely }) => likely > 0).map(words);
    const bars = columns.map((column) => h("span", { class: `column ${column.from < 0 ? "loss" : "gain"}`, title: words(column) },
      h("span", { style: { height: `${(100 * column.likely) / most}%` } })));
    const first = columns[0].from, last = columns.at(-1).from + step, zero = (100 * -first) / (last - first);
    const middle = h("span", { class: "zero", style: { left: `${zero}%` } }, zero > 12 && zero < 88 ? "0" : "");
    return h("div", { class: "histogram", role: "img", "aria-label": `How likely which change is: ${spoken.join("; ")}` },
      h("div", { class: "columns" }, bars),
      h("div", { class: "axis", "aria-hidden": "true" },
        h("span", {}, this.scale.signed(first)), middle, h("span", {}, this.scale.signed(last))));
  }

  columnWords({ from, likely, count }, step) {
    const ways = count === 1 ? "1 way" : `${count} ways`;
    return `${this.scale.signed(from)} to ${this.scale.signed(from + step)}: ${percent(likely)} (${ways})`;
  }
}

// The best and the worst, with a gap between.
function ends(rows) {
  const sorted = [...rows].sort((a, b) => b.change - a.change || b.probability - a.probability);
  return [...sorted.slice(0, ENDS), null, ...sorted.slice(-ENDS)];
}

function stepOf(rows) {
  const changes = rows.map((row) => row.change), wide = Math.max(0, ...changes) - Math.min(0, ...changes);
  return STEPS.find((step) => wide / step <= 22) ?? wide / 22;
}

function binned(rows, step) {
  const place = (change) => Math.floor(change / step + 1e-9);
  const places = rows.map((row) => place(row.change)), first = Math.min(-1, ...places), last = Math.max(0, ...places);
  const columns = Array.from({ length: last - first + 1 }, (_, at) => ({ from: (first + at) * step, likely: 0, count: 0 }));
  rows.forEach((row, at) => {
    columns[places[at] - first].likely += row.probability;
    columns[places[at] - first].count += 1;
  });
  return columns;
}
