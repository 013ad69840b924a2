// A turn adviser for Pickomino, to lay beside a real table: press in the dice, put the tiles where they lie, get advice.

import { post } from "/static/lib/api.js";
import { h } from "/static/lib/dom.js";
import { styled } from "/static/lib/styles.js";
import { chance, field, heading, nameSoon, patiently, waitingNote } from "/static/explore/common.js";
import { optionList, stakeWords } from "./advice.js";
import { reachChart } from "./reach.js";
import { TableSetup } from "./setup.js";
import { tileBoard } from "./tile-places.js";
import { tray } from "./dice-tray.js";

await styled("/static/games/pickomino/explore.css");

const WORDS = {
  lead: "Lay it beside your table and press in the dice you rolled (or type 1 to 5 and W): the advice comes at once.",
  wait: "The turn is being worked out. The first time that takes a quarter of a minute or so; go on pressing.",
  chances: "The best chance of each score, if you play for that score alone. Exact.",
  wrong: "is not a position of Pickomino; one looks like: p1 kept 44w rolled 12235 centre 21-24,27-36 stacks 25 / 26 turned -",
};
const EMPTY = { keep: "costs nothing", turn: "turns the highest tile down" };
const REMEMBERED = 50; // steps that can be taken back

export async function show({ query, main, gone }) {
  const adviser = new Adviser(query, gone);
  adviser.fill(main);
  await adviser.changed(true);
  return () => adviser.close();
}

class Adviser {
  constructor(query, gone) {
    const empty = query.get("empty") === "turn" ? "turn" : "keep";
    Object.assign(this, { gone, empty, asked: 0, found: null, picked: null, known: new Map(), past: [] });
    this.table = new TableSetup(Math.max(2, Math.min(7, Number(query.get("players")) || 2)));
    if (query.get("position")) this.load(query.get("position"));
    this.tray = tray(this.table, () => this.changed());
    this.tiles = tileBoard(this.table, () => this.changed());
    this.title = h("h2", { "aria-live": "polite" });
    this.note = waitingNote(WORDS.wait);
    this.advice = h("div", { class: "x-advice", "aria-live": "polite" });
    this.chances = h("section", { class: "panel x-reading x-fourth" });
    this.typed = (event) => this.tray.typed(event);
  }

  fill(main) {
    const part = (kind, ...children) => h("section", { class: `panel x-reading ${kind}` }, children);
    const dice = part("x-first", this.title, this.tray.element), advice =
      part("x-second", h("h2", {}, "Advice"), this.note.element, this.advice);
    const tiles = part("x-third", h("h2", {}, "Tiles on the table"), this.tiles.element, this.settings());
    main.append(heading("Pickomino: turn adviser", WORDS.lead), h("div", { class: "x-two x-advising" },
      h("div", { class: "x-body" }, dice, tiles), h("div", { class: "x-body" }, advice, this.chances)));
    document.addEventListener("keydown", this.typed);
  }

  close() {
    document.removeEventListener("keydown", this.typed);
  }

  load(text) {
    try {
      this.table.read(text);
    } catch {
      throw Object.assign(new Error(`"${text.slice(0, 80)}" ${WORDS.wrong}`), { code: "input" });
    }
  }

  settings() {
    const now = this.table.stacks.length, option = (value, name, selected) => h("option", { value, selected }, name);
    const seat = () => { this.table.players(Number(players.value)); this.changed(); };
    const players = h("select", { onchange: seat }, [2, 3, 4, 5, 6, 7].map((n) => option(n, `${n} players`, n === now)));
    const rule = () => { this.empty = empty.value; this.changed(); };
    const empty = h("select", { onchange: rule }, Object.entries(EMPTY).map(([value, name]) =>
      option(value, name, value === this.empty)));
    return h("div", { class: "x-form" }, field("table", players), field("a failure with no tile to give back", empty));
  }

  // --- asking -----------------------------------------------------------------------------------------------------------
  get parameters() {
    return { players: this.table.stacks.length, empty: this.empty };
  }

  async changed(first = false) {
    const { table } = this, mine = ++this.asked, { players, empty } = this.parameters;
    this.tray.show();
    this.tiles.show();
    this.title.textContent = `Player ${table.mover + 1}'s turn`;
    nameSoon(location.pathname, { players: players === 2 ? null : players, empty: empty === "keep" ? null : empty,
      position: table.text });
    if (table.partial && this.found) return this.draw(); // the chances of this roll are there already
    const found = await this.ask(table.text, () => mine !== this.asked || this.gone()).catch((problem) => problem);
    if (mine !== this.asked || this.gone()) return;
    if (found instanceof Error && first) throw found;
    Object.assign(this, { found, picked: null });
    this.draw();
  }

  // What the server says of a position; asked once.
  async ask(position, stale) {
    const { parameters } = this, key = JSON.stringify([position, parameters]);
    if (!this.known.has(key)) {
      const asked = () => post("/api/explore/pickomino", { parameters, position });
      const found = await patiently(asked, this.note.tick, stale).finally(this.note.done);
      if (found) this.known.set(key, found);
    }
    return this.known.get(key);
  }

  // --- what is said -----------------------------------------------------------------------------------------------------
  draw() {
    const { found } = this;
    if (found instanceof Error) this.advice.replaceChildren(h("p", { class: "x-problem" }, found.message));
    else this.advice.replaceChildren(...this.said());
    if (this.past.length) this.advice.append(buttons("Take back", () => this.back()));
    this.chances.replaceChildren(...(found instanceof Error ? [] : this.reach()));
    this.tray.handOn(this.advice.querySelector("button"));
  }

  said() {
    const { found, table } = this, missing = table.left - table.rolled.length;
    if (table.failed) {
      const words = ["This roll shows nothing new: the turn has failed. ", stakeWords(found.at_stake)];
      return [h("p", { class: "x-rule" }, words), buttons("Next player", () => this.moveOn(found.failed))];
    }
    if (table.partial) return [h("p", {}, `${missing} more ${missing === 1 ? "die" : "dice"} to press in.`)];
    if (!found.moves.length) return this.beforeRoll();
    const look = (move) => { this.picked = move; this.draw(); };
    return optionList(found, this.shownWay, { take: (move) => this.moveOn(found.after[move]), look });
  }

  beforeRoll() {
    const { table, found } = this, least = Math.min(...table.centre), n = found.reach.scores.indexOf(least);
    const dice = table.kept.length ? `${table.left} ${table.left === 1 ? "die" : "dice"}` : "all eight dice";
    const reached = chance(found.reach.ways.roll[0][n], 1);
    const likely = `The lowest tile of the centre, ${least}, is reached with ${reached} if you play for that alone. `;
    return [h("p", { class: "x-rule" }, `Roll ${dice}, and press in what they show.`),
      h("p", {}, likely, stakeWords(found.at_stake)),
      buttons("The turn failed: next player", () => this.moveOn(found.failed))];
  }

  // The way to go on whose chances are shown: the one that was picked, or the best.
  get shownWay() {
    const { moves, reach } = this.found, open = (move) => move in reach.ways;
    return open(this.picked) ? this.picked : moves.find((row) => open(row.move))?.move ?? Object.keys(reach.ways)[0];
  }

  reach() {
    const way = this.shownWay, { scores, ways } = this.found.reach, { stacks, mover } = this.table;
    if (!way) return [h("p", { class: "quiet" }, "No dice are left to roll.")];
    const tops = stacks.filter((_, seat) => seat !== mover).map((stack) => stack.at(-1)).filter(Boolean);
    return [h("h2", {}, way === "roll" ? "If you roll" : `After “${way.replaceAll("w", "W")}”`),
      h("p", { class: "quiet x-fine" }, WORDS.chances), reachChart(scores, ways[way], tops)];
  }

  // --- what is done -----------------------------------------------------------------------------------------------------
  moveOn(text) {
    this.past = [...this.past.slice(1 - REMEMBERED), this.table.memory];
    this.table.read(text);
    this.tray.roll();
    this.changed();
  }

  // Where the table stood before the last thing that was pressed as done.
  back() {
    Object.assign(this.table, this.past.pop());
    this.changed();
  }
}

const buttons = (words, onclick) => h("div", { class: "x-buttons" }, h("button", { type: "button", onclick }, words));
