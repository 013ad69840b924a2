// A board on which fields with dice attack their neighbours: a move in two steps, battles, how the players stand.

import { h, percent, sleep } from "../../lib/dom.js";
import { calm, tumble } from "../../lib/dice.js";
import { battleOf, odds, strip, verdict } from "./battle.js";
import { Landscape, ends } from "./hexagons.js";
import { neighbours, regions, standing } from "./standing.js";
import { caption, choices, count, facesOf, nameOf, worth } from "../table.js";
import { say } from "./words.js";

const LABELLED = 5; // best moves whose value stands on the board
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TUMBLE = 0.5, FLIGHT = 0.35; // parts of a battle's time

// `rules` of a game: `parse(text)` gives {mover, fields: [{seat, dice}], phase, attack, left, reserves, note}, its phase
// being "choose", "battle", "place" or "over"; `letters` of seats; `field` and `fields`, their words; and
// `gain(now, region)`, the new dice at the end of the turn for who has a region of that size.
export function attackBoard(game, rules, facts) {
  const board = new AttackBoard(game, rules, facts);
  return { element: board.element, show: (view) => board.show(view) };
}

// "a1-a2" and "30>18" with an arrow.
export const attackWords = (move) => move.replace(/^(\w+)[->](\w+)$/, "$1 → $2");

class AttackBoard {
  constructor(game, rules, { parameters, seats, land }) {
    if (!land) throw new Error("the places of its fields are missing, which the server gives");
    Object.assign(this, { rules, seats, land, parameters, sides: parameters.sides ?? 6 });
    Object.assign(this, { view: null, now: null, chosen: null, last: null, news: null, run: 0 });
    this.names = land.fields.map(({ name }) => name);
    this.near = neighbours(land);
    this.map = new Landscape(land, "the board");
    this.element = this.built(game);
    this.listen();
  }

  built(game) {
    const part = (name, attributes) => (this[name] = h("div", { class: `attacks-${name}`, ...attributes }));
    const map = h("div", { class: "attacks-map" }, this.map.element), words = part("words", { "aria-live": "polite" });
    const inside = h("div", { class: "attacks-inside" }, map, words, part("buttons"), part("battle"), part("table"));
    return h("div", { class: `board attacks attacks-${game}` }, inside);
  }

  at(name) {
    return this.now.fields[this.names.indexOf(name)];
  }

  letter(name) {
    return this.rules.letters[this.at(name).seat];
  }

  named(name) {
    const { seat, dice } = this.at(name);
    return `${this.rules.field} ${name}, ${nameOf(this.seats, seat)}, ${count(dice, "die", "dice")}`;
  }

  // --- showing ----------------------------------------------------------------------------------------------------------
  show(view) {
    const known = this.view, { event, before, duration } = view;
    const follows = known && (known.position === view.position || known.position === before);
    if (known?.position !== view.position || !view.moves.length) this.chosen = null;
    this.run += 1;
    this.view = view;
    this.now = this.rules.parse(view.position);
    const was = before ? this.rules.parse(before) : null;
    this.news = battleOf(this, was);
    this.last = this.news ?? (follows ? this.last : null);
    if (duration > 0 && event && was && !calm()) return this.play(was, this.run);
    this.draw();
    return duration > 0 ? sleep(duration) : undefined;
  }

  async play(was, run) {
    const { event, duration } = this.view;
    if (event.type === "rolled" && was.phase === "battle") return this.fight(was, run);
    this.draw();
    const placed = was.phase === "place" && this.names.find((_, n) => this.now.fields[n].dice > was.fields[n].dice);
    return placed ? this.map.pop(placed, duration * FLIGHT) : sleep(duration);
  }

  // The dice tumble, then the field is taken or holds.
  async fight(was, run) {
    const { now, last, view: { duration } } = this, mover = was.mover;
    Object.assign(this, { now: was, last: { ...last, won: null, faces: null } });
    this.draw(false);
    Object.assign(this, { now, last });
    await tumble([...this.battle.querySelectorAll(".tumbling")], facesOf(this.sides), duration * TUMBLE);
    if (run !== this.run) return;
    this.battle.replaceChildren(strip(last, this));
    const sent = { seat: mover, letter: this.rules.letters[mover], dice: last.dice[0] - 1 };
    if (last.won) await this.map.fly(last.move, sent, duration * FLIGHT);
    if (run !== this.run) return;
    this.draw();
    if (!last.won) await this.map.pop(last.fields[0], duration * FLIGHT);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------
  draw(open = true) {
    const { map, now, last, view, rules, seats } = this;
    this.region = regions(now, this.near, this.names);
    for (const name of this.names) map.settle(name, { ...this.at(name), letter: this.letter(name), label: this.named(name) });
    map.clear();
    if (last) map.arrow(last.move, `last ${verdict(last)}`, { long: true, weight: 0.6 });
    if (view.values && open) map.values([...view.values].map(([move, worth]) => ({ move, ...worth })), LABELLED);
    this.offer(open ? view.moves : []);
    const words = say(this); // the same words are not read out again
    if (this.words.textContent !== words) this.words.replaceChildren(caption(words));
    this.buttons.replaceChildren(...this.keys(open));
    this.battle.replaceChildren(last ? strip(last, this) : h("p", { class: "no-battle quiet" }, "No battle yet."));
    this.table.replaceChildren(standing({ now, seats, view, rules, region: this.region }));
  }

  // --- what may be done -------------------------------------------------------------------------------------------------
  offer(moves) {
    const attacks = moves.filter((move) => ends(move).length === 2);
    const mine = attacks.filter((move) => ends(move)[0] === this.chosen);
    const sources = new Set(attacks.map((move) => ends(move)[0])), targets = new Map(mine.map((move) => [ends(move)[1], move]));
    for (const name of this.names) this.map.offer(name, ...this.offered(name, { sources, targets, moves }));
    for (const move of mine) this.map.arrow(move, "option", { weight: 0.5 });
    if (!this.view.values) for (const move of mine) this.map.tag(ends(move)[1], percent(this.oddsOf(move), 0), "option");
  }

  offered(name, { sources, targets, moves }) {
    const { chosen } = this, known = this.named(name), from = { "data-from": name, "aria-pressed": String(name === chosen) };
    if (name === chosen) return ["chosen", { ...from, "aria-label": `${known}: attacks; press again to take it back` }];
    if (targets.has(name)) return ["target", this.target(name, targets.get(name))];
    if (sources.has(name)) return ["source", { ...from, "aria-label": `attack from ${known}` }];
    const full = this.at(name).dice >= this.parameters.max_dice ? "; it is full, so the die is lost" : "";
    const room = { "data-move": name, "aria-label": `place a die on ${known}${full}${this.worthWords(name)}` };
    return moves.includes(name) ? ["room", room] : [""];
  }

  target(name, move) {
    const label = `attack ${this.named(name)}, from ${this.chosen}: ${percent(this.oddsOf(move))} to win${this.worthWords(move)}`;
    return { "data-move": move, "aria-label": label };
  }

  oddsOf(move) {
    return odds(...ends(move).map((name) => this.at(name).dice), this.sides);
  }

  worthWords(move) {
    const found = this.view.values?.get(move);
    return found ? `, worth ${percent(found.value)}` : "";
  }

  keys(open) {
    const { view, now, chosen } = this, may = open && view.moves.includes("end");
    const gain = count(this.rules.gain(now, this.region[now.mover]), "new die", "new dice");
    const found = choices(may ? view : { ...view, moves: [] }, [{ move: "end", key: "e", label: "End the turn", detail: gain }]);
    const must = open && !may && now.phase === "choose" && view.moves.length > 0;
    if (must) found.append(button("End the turn", "attack first", { disabled: true }));
    if (chosen) found.prepend(button(["Back", escape()], `not from ${chosen}`, this.backing()));
    const ending = open && !may && view.values?.has("end") && h("p", { class: "end-value" }, "end the turn: ", worth(view, "end"));
    return [ending, (view.seat !== null || found.firstChild) && found].filter(Boolean);
  }

  backing() {
    return { onclick: () => this.takeBack(), "aria-label": `Back, not from ${this.chosen}`, "aria-keyshortcuts": "Escape" };
  }

  // --- pressing ---------------------------------------------------------------------------------------------------------
  listen() {
    const field = (event) => event.target.closest?.("[data-field]");
    this.map.element.addEventListener("click", (event) => this.press(field(event)));
    this.element.addEventListener("keydown", (event) => this.typed(event, field(event)) && event.preventDefault());
    const focus = (event, seen) => this.map.focus(field(event)?.dataset.field, seen);
    this.map.element.addEventListener("focusin", (event) => focus(event, event.target.matches(":focus-visible")));
    this.map.element.addEventListener("focusout", (event) => focus(event, false));
  }

  press(area) {
    const { move, from } = area?.dataset ?? {};
    if (move) {
      this.chosen = null;
      this.view.choose(move);
    } else if (from && from !== this.chosen) {
      this.chosen = from;
      this.draw();
    } else if (this.chosen) this.takeBack();
  }

  takeBack() {
    const name = this.chosen;
    this.chosen = null;
    this.draw();
    this.map.area(name).focus({ preventScroll: true });
  }

  // Whether the key meant something here.
  typed({ key }, area) {
    if (key === "Escape" && this.chosen) this.takeBack();
    else if (area && (key === "Enter" || key === " ")) this.press(area);
    else if (area && ARROWS[key]) return this.step(area.dataset.field, ARROWS[key]);
    else return false;
    return true;
  }

  step(name, direction) {
    const wanted = this.chosen ? "[data-move], [aria-pressed=true]" : "[tabindex='0']";
    const open = this.names.filter((other) => this.map.area(other).matches(wanted));
    const next = this.map.beyond(name, direction, open);
    if (next) this.map.area(next).focus({ preventScroll: true });
    return open.length > 0;
  }
}

const escape = () => h("kbd", { "aria-hidden": "true" }, "Esc");
const button = (label, detail, attributes) => h("button", { type: "button", class: "choice plain", ...attributes },
  h("span", { class: "choice-label" }, label), h("span", { class: "choice-detail" }, detail));
