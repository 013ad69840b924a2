// Setting up a game: who sits where, and the parameters. It knows what it would ask the server for.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { capital, markOf, titleOf } from "../lib/seats.js";
import { choose, setting } from "../lib/settings.js";
import { defaultsOf, opponents, strongest, watched } from "./defaults.js";

const YOU = "you", FRIEND = "friend", AGENT = "agent:";
const isAgent = (choice) => choice.startsWith(AGENT);
const agentOf = (choice) => choice.slice(AGENT.length);

export class Setup {
  constructor(name, game) {
    Object.assign(this, { name, game, defaults: defaultsOf(name), titles: game.seats, inputs: new Map(), checking: 0 });
    this.chosen = []; // seats for which the person has chosen; the others follow what the game allows
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.waiting = h("p", { class: "quiet setup-wait", role: "status" });
    this.seats = h("div", { class: "setup-seats" });
    const told = { maxlength: 40, autocomplete: "nickname", placeholder: "optional" };
    this.who = h("input", { type: "text", value: setting("name"), ...told });
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
    const { important } = this.defaults, rank = ({ name }) => important.indexOf(name);
    const first = this.game.parameters.filter((one) => rank(one) >= 0).sort((a, b) => rank(a) - rank(b));
    const others = this.game.parameters.filter((one) => rank(one) < 0);
    const list = h("div", { class: "fields" }, others.map((one) => this.field(one)));
    const more = h("details", {}, h("summary", {}, "More settings"), list);
    const name = h("label", { class: "field" }, "Your name", this.who);
    return [h("div", { class: "fields" }, first.map((one) => this.field(one)), name), others.length ? more : ""];
  }

  field({ name, default: usual, help, range, choices }) {
    const value = this.defaults.parameters[name] ?? usual;
    const [, min, max] = /^(-?\d+) to (-?\d+)$/.exec(range) ?? [];
    const kind = min ? { type: "number", min, max, step: 1 } : { type: "text" };
    const options = choices.map((choice) => h("option", { selected: choice === value }, choice));
    const input = options.length ? h("select", { name }, options) : h("input", { ...kind, name, value, required: true });
    input.addEventListener("change", () => this.check());
    this.inputs.set(name, input);
    const words = h("span", { class: "quiet" }, help, min ? ` (${range})` : "");
    return h("label", { class: "field" }, capital(name.replaceAll("_", " ")), input, words);
  }

  get parameters() {
    const value = ({ type, value: text }) => (type === "number" && /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim());
    return Object.fromEntries([...this.inputs].map(([name, input]) => [name, value(input)]));
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
  get choices() {
    return this.selects.map((select) => select.value);
  }

  fillSeats() {
    const agent = AGENT + strongest(this.name, this.game.agents), kept = this.selects ? this.choices : [];
    const mine = this.defaults.seat < this.titles.length ? this.defaults.seat : 0;
    this.selects = [];
    const row = (title, seat) => this.seat(title, seat, kept[seat] ?? (seat === mine ? YOU : agent));
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
    const { agents } = this.game, { agents: best, watch } = this.defaults;
    const good = [...new Set([...best, ...watch])].filter((name) => name in agents);
    const others = Object.keys(agents).filter((name) => !good.includes(name));
    const group = (label, names) => h("optgroup", { label }, names.map((name) => h("option", { value: AGENT + name }, name)));
    const people = [h("option", { value: YOU }, "You"), h("option", { value: FRIEND }, "A friend, by link")];
    return [people, group("Good agents", good), group("Other agents", others)];
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
      other.value = AGENT + strongest(this.name, this.game.agents);
      other.dispatchEvent(new Event("change"));
    }
  }

  // --- wishes -------------------------------------------------------------------------------------------------------
  // What to ask the server for, in this order: not every agent can play every game, and where the person has not chosen
  // one, others may take its place.
  play() {
    const { choices } = this, mine = choices.indexOf(YOU);
    const sit = mine < 0 ? null : { seat: mine, name: this.who.value.trim() };
    const name = (choice, seat, agent) => (this.chosen[seat] ? agentOf(choice) : agent);
    const seats = (agent) => choices.map((choice, seat) => (isAgent(choice) ? { agent: name(choice, seat, agent) } : {}));
    return opponents(this.name, this.game.agents).map((agent) => ({ room: this.room(seats(agent)), sit }));
  }

  // The same game with agents in all seats: those chosen, if all are agents, else good ones.
  watch() {
    const { choices } = this, { agents } = this.game;
    const good = choices.every(isAgent) ? choices.map(agentOf) : watched(this.name, agents, choices.length);
    const plain = choices.map(() => opponents(this.name, agents).at(-1));
    return [good, plain].map((names) => ({ room: this.room(names.map((agent) => ({ agent }))), sit: null }));
  }

  room(seats) {
    return { game: this.name, parameters: this.parameters, seats };
  }
}
