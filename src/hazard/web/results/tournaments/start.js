// Starting a small tournament from the page.

import { post } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { goodAgents, inOrder } from "../../lib/games.js";
import { ParameterFields } from "../../lib/parameters.js";
import { go } from "../../lib/route.js";
import { count, several, ways } from "../words.js";

const GAMES = 200; // a pair, if nothing else is said
const FIRST = 4; // agents that are chosen at first

export class Starting {
  // `all` are the games; `known` what GET /api/tournaments says.
  constructor(all, known) {
    Object.assign(this, { all, known, checking: 0, named: false });
    const option = (name) => h("option", { value: name }, all[name].title);
    this.game = h("select", { onchange: () => this.choose() }, inOrder(all).map(option));
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
    const name = this.game.value, game = this.all[name], good = firstAgents(game);
    this.seats = game.seats.length;
    const first = [...new Set([...good, ...Object.keys(game.agents)])];
    this.agents.replaceChildren(...first.map((agent) => this.agent(agent, game.agents[agent], good.includes(agent))));
    this.given = new ParameterFields(game.parameters, game.lab.parameters, () => this.check());
    this.parameters.replaceChildren(...this.given.of(this.given.names));
    if (!this.named) this.name.value = this.free(name);
    this.say("");
    this.tell();
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

  // --- what it will be ----------------------------------------------------------------------------------------------
  get request() {
    const agents = [...this.agents.querySelectorAll("input:checked")].map((box) => box.value);
    const numbers = { games: Number(this.games.value), seed: Number(this.seed.value) };
    return { name: this.name.value.trim(), game: this.game.value, parameters: this.given.values, agents, ...numbers };
  }

  // Asks the server whether such a game can be played, and how many sit in it.
  async check() {
    const mine = ++this.checking, { game, parameters } = this.request, before = this.problem.textContent;
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
    const request = this.request, wrong = this.wrong(request);
    const lineUps = ways(request.agents.length, this.seats), all = lineUps * request.games;
    const slow = request.agents.some((name) => this.all[request.game].agents[name].slow);
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
    const wrong = this.wrong(this.request);
    this.say(wrong);
    if (wrong) return;
    this.button.disabled = true;
    try {
      const { name } = await post("/api/tournaments", this.request);
      go(`/tournaments/${encodeURIComponent(name)}`);
    } catch (problem) {
      this.say(problem.message);
      this.button.disabled = false;
    }
  }
}

// Agents that are worth comparing and quick, those that the game names as good ones first. One that reads a solution is
// not among them unless it is named: the game may take long to solve.
function firstAgents(game) {
  const { agents } = game, named = goodAgents(game).filter((name) => !agents[name].slow);
  const quick = Object.keys(agents).filter((name) => !agents[name].slow && !agents[name].solved);
  return [...new Set([...named, ...quick])].slice(0, FIRST);
}
