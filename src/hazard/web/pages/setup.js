// Setting up a game: who sits where, and the parameters. It makes the requests for the room.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { goodAgents, opponents, watched } from "../lib/games.js";
import { ParameterFields } from "../lib/parameters.js";
import { markOf, titleOf } from "../lib/seats.js";
import { choose, setting } from "../lib/settings.js";

const YOU = "you", FRIEND = "friend", AGENT = "agent:";
const isAgent = (choice) => choice.startsWith(AGENT);
const agentOf = (choice) => choice.slice(AGENT.length);

export class Setup {
  constructor(name, game) {
    Object.assign(this, { name, game, titles: game.seats, checking: 0 });
    this.chosen = []; // seats for which the person has chosen; the others follow what the game allows
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.waiting = h("p", { class: "quiet setup-wait", role: "status" });
    this.seats = h("div", { class: "setup-seats" });
    const attributes = { maxlength: 40, autocomplete: "nickname", placeholder: "optional" };
    this.who = h("input", { type: "text", value: setting("name"), ...attributes });
    this.who.addEventListener("change", () => choose("name", this.who.value.trim()));
    this.element = h("div", { class: `setup game-${name}` }, this.waiting, this.problem, this.seats, this.fields());
    this.fillSeats();
  }

  wait(words) {
    this.waiting.textContent = words;
  }

  say(words) {
    this.problem.hidden = !words;
    this.problem.textContent = words;
  }

  // --- parameters ---------------------------------------------------------------------------------------------------
  fields() {
    const { lab, parameters } = this.game;
    this.given = new ParameterFields(parameters, lab.parameters, () => this.check());
    const others = this.given.of(this.given.names.filter((name) => !lab.shown.includes(name)));
    const more = h("details", {}, h("summary", {}, "More settings"), h("div", { class: "fields" }, others));
    const name = h("label", { class: "field" }, "Your name", this.who);
    return [h("div", { class: "fields" }, this.given.of(lab.shown), name), others.length ? more : ""];
  }

  get parameters() {
    return this.given.values;
  }

  // Asks the server whether such a game can be played, and what its seats are called.
  async check() {
    const mine = ++this.checking;
    try {
      const { seats } = await post("/api/positions", { game: this.name, parameters: this.parameters });
      if (mine !== this.checking) return;
      this.say("");
      if (seats.join() === this.titles.join()) return;
      this.titles = seats;
      this.fillSeats();
    } catch (problem) {
      if (mine === this.checking) this.say(problem.message);
    }
  }

  // --- seats --------------------------------------------------------------------------------------------------------
  get strongest() {
    return opponents(this.game)[0];
  }

  get choices() {
    return this.selects.map((select) => select.value);
  }

  fillSeats() {
    const agent = AGENT + this.strongest, before = this.selects ? this.choices : [], { seat: usual } = this.game.lab;
    const mine = usual < this.titles.length ? usual : 0;
    this.selects = [];
    const row = (title, seat) => this.seat(title, seat, before[seat] ?? (seat === mine ? YOU : agent));
    this.seats.replaceChildren(...this.titles.map(row));
  }

  seat(title, seat, value) {
    const select = h("select", { "aria-label": `who is ${titleOf(title)}` }, this.options());
    select.value = value;
    this.selects[seat] = select;
    const words = h("span", { class: "quiet" }, this.describe(value));
    select.addEventListener("change", () => {
      this.chosen[seat] = true;
      this.onlyOneYou(select);
      words.textContent = this.describe(select.value);
    });
    const mark = h("span", { class: "seat-mark", "aria-hidden": "true" }, markOf(title, seat));
    const name = h("span", { class: "setup-title" }, titleOf(title));
    return h("label", { class: `setup-seat seat-${seat}` }, mark, name, select, words);
  }

  options() {
    const good = goodAgents(this.game), others = Object.keys(this.game.agents).filter((name) => !good.includes(name));
    const group = (label, names) => h("optgroup", { label }, names.map((name) => h("option", { value: AGENT + name }, name)));
    const people = [h("option", { value: YOU }, "You"), h("option", { value: FRIEND }, "A friend, by link")];
    return [people, good.length ? group("Good agents", good) : "", group(good.length ? "Other agents" : "Agents", others)];
  }

  describe(choice) {
    if (choice === YOU) return "";
    if (choice === FRIEND) return "you get a link to send";
    const { summary, slow } = this.game.agents[agentOf(choice)];
    return slow ? `${summary} (thinks a while)` : summary;
  }

  onlyOneYou(changed) {
    if (changed.value !== YOU) return;
    for (const other of this.selects.filter((select) => select !== changed && select.value === YOU)) {
      other.value = AGENT + this.strongest;
      other.dispatchEvent(new Event("change"));
    }
  }

  // --- requests -----------------------------------------------------------------------------------------------------
  // Requests for the room, to be tried in this order: not every agent can play every game, and where the person has not
  // chosen one, others may take its place.
  play() {
    const { choices } = this, mine = choices.indexOf(YOU);
    const sit = mine < 0 ? null : { seat: mine, name: this.who.value.trim() };
    const name = (choice, seat, agent) => (this.chosen[seat] ? agentOf(choice) : agent);
    const seats = (agent) => choices.map((choice, seat) => (isAgent(choice) ? { agent: name(choice, seat, agent) } : {}));
    return opponents(this.game).map((agent) => ({ room: this.room(seats(agent)), sit }));
  }

  // The same game with agents in all seats: those chosen, if all are agents, else good ones.
  watch() {
    const { choices } = this;
    const good = choices.every(isAgent) ? choices.map(agentOf) : watched(this.game, choices.length);
    const plain = choices.map(() => opponents(this.game).at(-1));
    return [good, plain].map((names) => ({ room: this.room(names.map((agent) => ({ agent }))), sit: null }));
  }

  room(seats) {
    return { game: this.name, parameters: this.parameters, seats };
  }
}
