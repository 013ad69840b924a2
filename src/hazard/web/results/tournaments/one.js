// One tournament: ratings, who beats whom, seats, lengths, and its games. While it is played, all of it fills.

import { get, post } from "../../lib/api.js";
import { h } from "../../lib/dom.js";
import { games } from "../../lib/games.js";
import { notice } from "../../lib/notices.js";
import { isOwner, ownersOnly } from "../../lib/owner.js";
import { sayParameters } from "../../room/words.js";
import { crossTable } from "./cross-table.js";
import { lengths, seats } from "./seats-and-lengths.js";
import { GameList } from "./games.js";
import { progress, statusTag } from "./progress.js";
import { ratings } from "./ratings.js";
import { redraw } from "../table.js";
import { several } from "../words.js";

const PATIENCE = 1000; // milliseconds between looks, while it is being played

export async function showOne(name, { main, title }) {
  title(name);
  const [all, first] = await Promise.all([games(), get(`/api/tournaments/${encodeURIComponent(name)}`)]);
  const titles = await seatTitles(first, all);
  const shown = new Shown(name, first, all[first.game], titles);
  main.append(...shown.parts);
  shown.draw(first);
  return () => shown.leave();
}

async function seatTitles({ game, parameters, line_ups: lineUps }, all) {
  const found = await post("/api/positions", { game, parameters }).catch(() => null);
  const titles = found?.seats ?? all[game]?.seats ?? (lineUps?.[0]?.agents ?? []).map((_, seat) => String(seat + 1));
  return titles.map((title) => (title.length === 1 ? `seat ${title}` : title));
}

class Shown {
  constructor(name, first, game, titles) {
    Object.assign(this, { name, game, titles, played: -1, timer: 0, left: false });
    this.head = h("div", { class: "cup-head" });
    this.figures = h("div", { class: "cup-figures" });
    this.list = new GameList(name, first.agents, titles);
    this.parts = [this.head, this.figures, this.list.element];
    this.path = `/api/tournaments/${encodeURIComponent(name)}`;
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }

  draw(found) {
    if (this.left) return;
    if (found.status !== this.status || found.problem !== this.problem) redraw(this.head, this.heading(found));
    else this.head.querySelector(".progress-line").replaceWith(progress(found)); // what can be pressed stays where it is
    if (found.played !== this.played || !found.played) this.fill(found);
    if (this.status === "playing" && found.status === "finished") notice(`${this.name} is finished.`, "good");
    Object.assign(this, { played: found.played, status: found.status, problem: found.problem });
    clearTimeout(this.timer);
    if (found.status === "playing") this.timer = setTimeout(() => this.look(), PATIENCE);
  }

  async look() {
    try {
      this.draw(await get(this.path));
    } catch (problem) {
      if (this.left) return;
      if (problem.code !== "offline" && problem.code !== "rate") notice(problem.message, "bad");
      this.timer = setTimeout(() => this.look(), 3 * PATIENCE);
    }
  }

  fill(found) {
    this.list.element.hidden = !found.played;
    if (!found.ratings) return redraw(this.figures, this.waiting(found));
    redraw(this.figures,
      ratings(found), crossTable(found, (agent, against) => this.list.between(agent, against)),
      h("div", { class: "two" }, seats(found, this.titles), lengths(found)));
    return this.list.show();
  }

  waiting({ status }) {
    if (status !== "playing") return h("p", { class: "panel wait" }, "No game has been played yet.");
    this.began ??= Date.now();
    const seconds = Math.round((Date.now() - this.began) / 1000);
    return h("p", { class: "panel wait" },
      "The first games are on their way. To compile the game, or to solve it, may take a few minutes the first time. ",
      seconds > 2 ? `${seconds} s` : "");
  }

  // --- the head: what it is, how far it is, and what can be done ------------------------------------------------------
  heading(found) {
    const fault = ({ agent, reason, count }) => h("li", {}, `${agent}: ${reason}, ${several(count, "time")}`);
    return [
      h("p", { class: "crumb" }, h("a", { href: "/tournaments" }, "Tournaments"), " /"),
      h("div", { class: "row" }, h("h1", {}, this.name), statusTag(found.status)),
      h("p", { class: "quiet" }, this.facts(found).join(" · ")),
      h("div", { class: "row cup-progress" }, progress(found), this.action(found)),
      found.problem ? h("p", { class: "problem", role: "alert" }, found.problem) : null,
      found.faults?.length ? h("ul", { class: "faults" }, found.faults.map(fault)) : null,
    ];
  }

  facts({ game, parameters, agents, games: each, total, seed }) {
    const set = sayParameters(parameters, this.game), lineUps = Math.round(total / each);
    const lines = several(lineUps, this.titles.length === 2 ? "pair" : "line-up");
    const many = `${several(agents.length, "agent")}, ${lines} of ${several(each, "game")}`;
    return [`${this.game?.title ?? game}${set ? `, ${set}` : ""}`, many, `seed ${seed}`];
  }

  action({ status, here }) {
    if (status === "finished") return null;
    if (status === "playing" && !here) return h("span", { class: "quiet" }, "by another program");
    if (!isOwner()) return ownersOnly(status === "playing" ? "The owner of this server can stop it." : "The owner of this server can go on with it.");
    const [what, words, kind] = status === "playing" ? ["cancel", "Cancel", ""] : ["resume", "Go on", "primary"];
    return h("button", { class: kind, "data-focus": "action", onclick: (event) => this.ask(what, event.target) }, words);
  }

  async ask(what, button) {
    button.disabled = true;
    try {
      await post(`${this.path}/${what}`, {});
    } catch (problem) {
      if (problem.code !== "state") notice(problem.message, "bad"); // it has ended meanwhile, and is shown so
    }
    await this.look();
    button.disabled = false;
  }
}

