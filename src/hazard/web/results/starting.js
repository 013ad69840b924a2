// Starting a small tournament from the page.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { go } from "../lib/route.js";
import { ORDER, defaultsOf } from "../pages/defaults.js";
import { count, several, ways } from "./words.js";

const GAMES = 200; // a pair, if nothing else is said
const FIRST = 4; // agents that are chosen at first

export class Starting {
  // `all` are the games; `known` what GET /api/tournaments says.
  constructor(all, known) {
    Object.assign(this, { all, known, checking: 0, named: false });
    const order = [...ORDER.filter((name) => name in all), ...Object.keys(all).filter((name) => !ORDER.includes(name))];
    const option = (name) => h("option", { value: name }, all[name].title);
    this.game = h("select", { onchange: () => this.choose() }, order.map(option));
    const named = () => { this.named = true; };
    this.name = h("input", { type: "text", maxlength: 40, autocomplete: "off", spellcheck: "false", oninput: named });
    this.games = h("input", { type: "number", min: 1, max: known.most.games, step: 1, value: GAMES, oninput: () => this.tell() });
    this.seed = h("input", { type: "number", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1, value: 1 });
    this.agents = h("div", { class: "agent-choices", role: "group", "aria-label": "agents" });
    this.parameters = h("div", { class: "fields" });
    this.sum = h("p", { class: "start-sum", role: "status" });
    this.problem = h("p", { class: "problem", role: "alert", hidden: true });
    this.button = h("button", { class: "primary big", type: "submit" }, "Start");
    const start = (event) => { event.preventDefault(); this.start(); };
    this.element = h("form", { class: "starting", novalidate: true, onsubmit: start }, this.form());
    this.choose();
  }

  form() {
    const field = (words, input, help) => h("label", { class: "field" }, words, input, h("span", { class: "quiet" }, help));
    return [
      h("div", { class: "fields" },
        field("Game", this.game, ""),
        field("Games for each line-up", this.games, "in each, everybody sits in every seat equally often"),
        field("Name", this.name, "letters, digits, - and _"),
        field("Seed", this.seed, "the same seed gives the same games")),
      h("h3", {}, "Agents"), this.agents,
      h("details", {}, h("summary", {}, "Parameters of the game"), this.parameters),
      this.sum, this.problem, h("div", { class: "row" }, this.button),
    ];
  }

  // --- the game -----------------------------------------------------------------------------------------------------
  choose() {
    const name = this.game.value, game = this.all[name], good = this.good(name, game);
    this.seats = game.seats.length;
    const first = [...new Set([...good, ...Object.keys(game.agents)])];
    this.agents.replaceChildren(...first.map((agent) => this.agent(agent, game.agents[agent], good.includes(agent))));
    this.inputs = new Map();
    this.parameters.replaceChildren(...game.parameters.map((parameter) => this.parameter(parameter)));
    if (!this.named) this.name.value = this.free(name);
    this.say("");
    this.tell();
  }

  // Agents that are worth comparing and quick, the usual ones first.
  good(name, { agents }) {
    const usual = [...defaultsOf(name).agents, ...defaultsOf(name).watch].filter((agent) => agents[agent] && !agents[agent].slow);
    const heavy = name === "pickomino" || name === "dice-of-doom"; // to solve these takes long
    const quick = Object.keys(agents).filter((agent) => !agents[agent].slow && !(heavy && agent === "optimal"));
    return [...new Set([...usual.filter((agent) => quick.includes(agent)), ...quick])].slice(0, FIRST);
  }

  free(name) {
    const taken = new Set(this.known.tournaments.map((row) => row.name));
    for (let n = 1; ; n++) if (!taken.has(`${name}-${n}`)) return `${name}-${n}`;
  }

  agent(name, { summary, slow }, checked) {
    const box = h("input", { type: "checkbox", value: name, checked, onchange: () => this.tell() });
    const tag = slow ? h("span", { class: "tag" }, "thinks long") : "";
    const words = h("span", {}, h("b", {}, name), tag, h("span", { class: "quiet" }, summary));
    return h("label", { class: "agent-choice" }, box, words);
  }

  parameter({ name, default: usual, help, range, choices }) {
    const [, least, most] = /^(-?\d+) to (-?\d+)$/.exec(range) ?? [];
    const value = defaultsOf(this.game.value).parameters[name] ?? usual;
    const input = choices.length
      ? h("select", {}, choices.map((choice) => h("option", { selected: choice === value }, choice)))
      : h("input", least ? { type: "number", min: least, max: most, step: 1, value } : { type: "text", value });
    input.addEventListener("change", () => this.check());
    this.inputs.set(name, input);
    const words = h("span", { class: "quiet" }, help, least ? ` (${range})` : "");
    return h("label", { class: "field" }, name.replaceAll("_", " "), input, words);
  }

  // --- what it will be ----------------------------------------------------------------------------------------------
  wish() {
    const value = ({ type, value: text }) => (type === "number" && /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim());
    const parameters = Object.fromEntries([...this.inputs].map(([key, input]) => [key, value(input)]));
    const agents = [...this.agents.querySelectorAll("input:checked")].map((box) => box.value);
    const numbers = { games: Number(this.games.value), seed: Number(this.seed.value) };
    return { name: this.name.value.trim(), game: this.game.value, parameters, agents, ...numbers };
  }

  // Asks the server whether such a game can be played, and how many sit in it.
  async check() {
    const mine = ++this.checking, { game, parameters } = this.wish(), before = this.problem.textContent;
    try {
      const { seats } = await post("/api/positions", { game, parameters });
      if (mine !== this.checking) return;
      this.seats = seats.length;
      if (this.problem.textContent === before) this.say(""); // and not what was said meanwhile
      this.tell();
    } catch (problem) {
      if (mine === this.checking) this.say(problem.message);
    }
  }

  // What is wrong, as far as it can be seen here, in words.
  wrong({ agents, games, seed }) {
    const whole = (input, number, least) => input.value && Number.isSafeInteger(number) && number >= least;
    if (!whole(this.games, games, 1)) return "Games for each line-up: must be a whole number, 1 or more.";
    if (!whole(this.seed, seed, 0)) return "Seed: must be a whole number, 0 or more.";
    return agents.length < this.seats ? `Choose at least ${this.seats} agents; ${agents.length} chosen so far.` : "";
  }

  // How large it will be.
  tell() {
    const wish = this.wish(), wrong = this.wrong(wish);
    const lineUps = ways(wish.agents.length, this.seats), all = lineUps * wish.games;
    const slow = wish.agents.some((name) => this.all[wish.game].agents[name].slow);
    const most = slow ? this.known.most.searching : this.known.most.games;
    const pairs = this.seats === 2 ? several(lineUps, "pair") : `${several(lineUps, "line-up")} of ${this.seats}`;
    const large = `: more than ${count(most)}, the most that can be started here${slow ? " with agents that think long" : ""}`;
    this.sum.classList.toggle("over", Boolean(wrong) || all > most);
    this.sum.textContent = wrong || `${pairs}, ${several(all, "game")} in all${all > most ? large : ""}.`;
  }

  say(words) {
    this.problem.hidden = !words;
    this.problem.textContent = words;
  }

  async start() {
    const wrong = this.wrong(this.wish());
    this.say(wrong);
    if (wrong) return;
    this.button.disabled = true;
    try {
      const { name } = await post("/api/tournaments", this.wish());
      go(`/tournaments/${encodeURIComponent(name)}`);
    } catch (problem) {
      this.say(problem.message);
      this.button.disabled = false;
    }
  }
}
