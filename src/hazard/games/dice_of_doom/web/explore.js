// Dice of Doom on small boards, solved: any position set up by clicking, with chances, values of all moves, and arrows.

import { Landscape } from "/static/boards/attacks/hexagons.js";
import { post } from "/static/lib/api.js";
import { h } from "/static/lib/dom.js";
import { address } from "/static/lib/route.js";
import { styled } from "/static/lib/styles.js";
import { choice, heading, nameSoon, patiently, refill, waitingNote } from "/static/explore/common.js";
import { boardPicker } from "./picker.js";
import { BoardSetup, LETTERS, NAMES } from "./setup.js";
import { answered, landing } from "./verdict.js";

await Promise.all([styled("/static/games/dice-of-doom/explore.css"), styled("/static/games/dice-of-doom/seats.css")]);

const WORDS = {
  lead: "Whose tiles, how many dice, whose turn: set up any position on a small board and see what perfect players make of it. " +
    "Press a tile to change it; press it again and again to go through all there is.",
  wait: "This board is being solved. The first time that takes half a minute or more; set it up meanwhile.",
  tile: "Press a tile to change its owner and dice. Keys: 1 to 5, R, B.",
  large: "boards of up to 16 tiles can be set up here; play on larger ones in a room.",
};
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MOST_TILES = 16;
const LABELLED = 4; // moves with a value on the board
const REMEMBERED = 50; // steps that can be taken back
const FIRST = "2x3 r1 b3 b1 / r2 b2 r2 | r to move, first attack"; // about even, and every move is worth something else

export async function show({ query, main, gone }) {
  const parameters = {
    board: query.get("board") ?? "2x3", max_dice: Number(query.get("max_dice") ?? 3),
    reinforcement: query.get("reinforcement") ?? "deterministic", players: 2, turns: 0,
  };
  const first = ["board", "max_dice", "reinforcement"].some((name) => query.has(name)) ? "" : FIRST;
  const asked = { game: "dice-of-doom", parameters, position: query.get("position") ?? first };
  const [found, { board: land }] = await Promise.all([post("/api/positions", asked),
    post("/api/boards", { ...asked, position: "" })]);
  if (land.fields.length > MOST_TILES) throw Object.assign(new Error(`board=${parameters.board}: ${WORDS.large}`),
    { code: "input" });
  if (!gone()) new Explorer(parameters, found, land, gone).fill(main, !asked.position);
  return null;
}

class Explorer {
  constructor(parameters, found, land, gone) {
    Object.assign(this, { parameters, gone, asked: 0, found: null, pending: null, past: [], chosen: null });
    this.setting = new BoardSetup(found.position, land, parameters.max_dice);
    this.map = new Landscape(land, "the board");
    this.tools = h("div", { class: "x-tools" });
    this.note = waitingNote(WORDS.wait);
    this.answer = h("div", { class: "x-advice", "aria-live": "polite" });
    this.text = h("code", { class: "x-code" });
    this.open = h("a", {}, "Open it on the board");
  }

  fill(main, fresh) {
    if (fresh) this.setting.shuffle();
    const { element } = this.map, named = ({ target }) => target.closest("[data-field]")?.dataset.field;
    element.addEventListener("click", (event) => this.press(named(event)));
    element.addEventListener("keydown", (event) => this.typed(event, named(event)));
    element.addEventListener("focusin", (event) => this.choose(named(event)));
    const board = h("section", { class: "panel x-reading", "aria-label": "board" },
      h("div", { class: "attacks attacks-dice-of-doom x-land" }, element), this.tools);
    const worth = h("section", { class: "panel x-reading" }, h("h2", {}, "What it is worth"), this.note.element, this.answer,
      h("p", { class: "x-fine quiet" }, this.text, " ", this.open));
    main.append(heading("Dice of Doom", WORDS.lead), boardPicker(this.parameters, this.setting.names.length),
      h("div", { class: "x-two" }, board, worth));
    this.changed();
  }

  // --- setting up -------------------------------------------------------------------------------------------------------
  press(name) {
    if (!name || this.pending) return;
    this.chosen = name;
    this.edit(() => this.setting.cycle(name));
  }

  choose(name) {
    if (!name || this.chosen === name || this.pending) return;
    this.chosen = name;
    this.draw();
  }

  typed(event, name) {
    const key = event.key.toLowerCase(), dice = Number(key);
    if (!name || this.pending || event.ctrlKey || event.metaKey || event.altKey) return;
    const field = this.setting.at(name), put = (facts) => this.edit(() => Object.assign(field, facts));
    if (DIRECTIONS[event.key]) this.step(name, DIRECTIONS[event.key]);
    else if (key === "enter" || key === " ") this.press(name);
    else if (LETTERS.includes(key)) put({ seat: LETTERS.indexOf(key) });
    else if (dice >= 1 && dice <= this.parameters.max_dice) put({ dice });
    else return;
    event.preventDefault();
  }

  step(name, direction) {
    const next = this.map.beyond(name, direction, this.setting.names);
    this.map.element.querySelector(`[data-field="${next}"]`)?.focus();
  }

  // Any change can be taken back.
  edit(change) {
    this.past = [...this.past.slice(1 - REMEMBERED), this.setting.text];
    this.pending = null;
    change();
    this.changed();
  }

  back() {
    this.pending = null;
    this.setting.read(this.past.pop());
    this.changed();
  }

  drawTools() {
    const { setting, chosen } = this, put = (target) => (name) => (value) => this.edit(() => { target[name] = value; });
    const whole = put(setting), tile = chosen ? setting.at(chosen) : null,
      many = Array.from({ length: this.parameters.max_dice }, (_, n) => n + 1);
    const parts = [
      choice("Turn", NAMES.map((name, seat) => [seat, name]), setting.mover, whole("mover")),
      choice("In it", [[true, "first attack"], [false, "has attacked"]], setting.first, whole("first")),
      tile && choice(`Tile ${chosen}`, NAMES.map((name, seat) => [seat, name, `tile ${chosen} is ${name}'s`]), tile.seat,
        put(tile)("seat")),
      tile && choice("Its dice", many.map((n) => [n, String(n), `${n} dice on ${chosen}`]), tile.dice, put(tile)("dice")),
    ].filter(Boolean).map((part) => part.element);
    const button = (words, disabled, onclick) => h("button", { type: "button", "data-name": words, disabled, onclick }, words);
    refill(this.tools, ...parts, tile ? "" : h("p", { class: "quiet x-fine" }, WORDS.tile), h("div", { class: "x-buttons" },
      button("Another at random", false, () => this.edit(() => setting.shuffle())),
        button("Take back", !this.past.length, () => this.back())));
  }

  // --- asking -----------------------------------------------------------------------------------------------------------
  async changed() {
    const mine = ++this.asked, { setting, parameters } = this, position = setting.text,
      { board, max_dice, reinforcement } = parameters;
    const stale = () => mine !== this.asked || this.gone();
    this.found = null;
    this.draw();
    if (setting.possible) nameSoon(location.pathname, { board, max_dice, reinforcement, position });
    if (setting.obstacle) return;
    const ask = () => post("/api/explore/dice-of-doom", { game: "dice-of-doom", parameters, position });
    const found = await patiently(ask, this.note.tick, stale).catch((problem) => problem).finally(this.note.done);
    if (stale()) return;
    this.found = found;
    this.draw();
  }

  // --- what is shown ----------------------------------------------------------------------------------------------------
  draw() {
    const { setting, map, found } = this, { board, max_dice, reinforcement } = this.parameters;
    map.clear();
    for (const name of setting.names) this.drawTile(name);
    if (found?.moves) map.values(found.moves.filter(({ move }) => map.ways[move]), LABELLED);
    this.drawTools();
    this.drawAnswer();
    this.text.textContent = setting.text;
    this.open.hidden = !setting.possible;
    this.open.href = address("/position", { game: "dice-of-doom", board, max_dice, reinforcement, position: setting.text });
  }

  drawTile(name) {
    const { seat, dice } = this.setting.at(name), [x, y] = this.map.middle(name);
    const label = `tile ${name}, ${NAMES[seat]}, ${dice} ${dice === 1 ? "die" : "dice"}; press to change`;
    this.map.settle(name, { seat, dice, letter: LETTERS[seat].toUpperCase(), label });
    this.map.offer(name, name === this.chosen ? "chosen" : "room", { "aria-label": label });
    this.map.label([x, y - 36], name, "x-name");
  }

  drawAnswer() {
    const { setting, found, pending, parameters } = this;
    if (setting.obstacle) return this.answer.replaceChildren(h("p", { class: "x-rule" }, setting.obstacle));
    if (!found) return this.answer.replaceChildren();
    if (found instanceof Error) return this.answer.replaceChildren(h("p", { class: "x-problem" }, found.message));
    const other = () => { this.pending = null; this.draw(); };
    const below = pending ? landing(pending, (way) => this.land(way), other) : null;
    return this.answer.replaceChildren(...answered(found, parameters, (move) => this.attempt(move), below));
  }

  // --- trying moves -----------------------------------------------------------------------------------------------------
  look(position) {
    return post("/api/positions", { game: "dice-of-doom", parameters: this.parameters, position });
  }

  async attempt(move) {
    const mine = this.asked, { moves } = await this.look(this.found.position), next = await this.look(moves[move]);
    if (mine === this.asked && !this.gone()) this.arrive(next, move);
  }

  async land(way) {
    const { move } = this.pending, next = await this.look(way.position);
    if (this.pending && !this.gone()) this.arrive(next, move);
  }

  // Where dice are in the air, it is asked how they land.
  arrive(next, move) {
    if (!next.rolling) return this.edit(() => this.setting.read(next.position));
    this.pending = { move, outcomes: next.outcomes };
    return this.draw();
  }
}
