// The games of a tournament, page by page, with filters; any of them opens in the board.

import { get, post } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { notice } from "../../lib/notices.js";
import { address, go } from "../../lib/route.js";
import { pager, redraw, table } from "../table.js";
import { count, several } from "../words.js";

const NAMES = { agent: "Agent", against: "Against", result: "Result", order: "Order" };
const RESULTS = [["", "any result"], ["won", "won"], ["lost", "lost"], ["tied", "tied"]];
const ORDERS = [["number", "as played"], ["longest", "longest first"], ["shortest", "shortest first"]];

export class GameList {
  constructor(name, agents, titles) {
    Object.assign(this, { name, agents, titles, page: 0, asked: 0 });
    const all = [["", "any agent"], ...agents.map((agent) => [agent, agent])];
    const others = [["", "anybody"], ...all.slice(1)];
    this.chosen = { agent: select(all), against: select(others), result: select(RESULTS), order: select(ORDERS) };
    for (const input of Object.values(this.chosen)) input.addEventListener("change", () => this.show(0));
    this.place = h("div", { class: "game-list" });
    const field = (words, input) => h("label", { class: "field" }, words, input);
    this.element = h("section", { class: "panel", id: "games" },
      h("h2", { tabindex: "-1" }, "Games"),
      h("div", { class: "filters" }, Object.entries(this.chosen).map(([key, input]) => field(NAMES[key], input))),
      this.place);
  }

  // Shows the games of two agents, and goes there.
  between(agent, against) {
    this.chosen.agent.value = agent;
    this.chosen.against.value = against;
    this.chosen.result.value = "";
    this.element.querySelector("h2").focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "start" });
    return this.show(0);
  }

  async show(page = this.page) {
    const mine = ++this.asked;
    const chosen = Object.fromEntries(Object.entries(this.chosen).map(([key, input]) => [key, input.value || null]));
    if (["won", "lost"].includes(chosen.result) && !chosen.agent) return this.say("Choose the agent who won or lost.");
    try {
      const found = await get(address(`/api/tournaments/${encodeURIComponent(this.name)}/games`, { ...chosen, page }));
      if (mine === this.asked) this.draw(found);
    } catch (problem) {
      if (mine === this.asked) redraw(this.place, h("p", { class: "problem", role: "alert" }, problem.message));
    }
    return null;
  }

  say(words) {
    redraw(this.place, h("p", { class: "quiet", role: "status" }, words));
  }

  draw({ count: all, page, pages, first, games }) {
    this.page = page;
    if (!all) return this.say("There are no such games.");
    const number = (name) => ({ name, kind: "number" }), open = { name: "", label: "open", kind: "end" };
    const columns = [number("Game"), ...this.titles, number("Decisions"), open];
    const words = `${count(first + 1)} to ${count(first + games.length)} of ${several(all, "game")}`;
    return redraw(this.place,
      table("Games", columns, games.map((game) => this.row(game)), "games-table folding"),
      pages > 1 ? pager(page, pages, words, (to) => this.show(to)) : h("p", { class: "quiet small" }, words));
  }

  row({ game, seats, payoffs, winner, length, cut }) {
    const most = Math.max(...payoffs);
    const who = (name, seat) => {
      if (winner === null) return h("span", {}, name, h("span", { class: "quiet" }, " tied"));
      return payoffs[seat] === most ? h("span", { class: "won" }, h("b", {}, name), " won") : name;
    };
    const words = { "aria-label": `open game ${game}`, "data-focus": `open ${game}` };
    const open = h("button", { ...words, onclick: () => this.open(game, open) }, "Open");
    const last = length ? open : h("span", { class: "quiet" }, "not played");
    return [count(game), ...seats.map(who), `${count(length)}${cut ? ", cut off" : ""}`, last];
  }

  async open(game, button) {
    button.disabled = true;
    button.textContent = "Opening ...";
    try {
      const { room } = await post(`/api/tournaments/${encodeURIComponent(this.name)}/games/${game}`, {});
      go(`/rooms/${room}`);
    } catch (problem) {
      notice(problem.message, "bad");
      button.disabled = false;
      button.textContent = "Open";
    }
  }
}

const select = (choices) => h("select", {}, choices.map(([value, name]) => h("option", { value }, name)));
