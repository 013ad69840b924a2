// All tournaments in the server's folder, and a form to start one.

import { ago } from "../../lib/ago.js";
import { get } from "../../lib/api.js";
import { copyable } from "../../lib/copy.js";
import { h } from "../../lib/dom.js";
import { games, inOrder, watched } from "../../lib/games.js";
import { isOwner, ownersOnly } from "../../lib/owner.js";
import { sayParameters } from "../../room/words.js";
import { progress, statusTag } from "./progress.js";
import { Starting } from "./start.js";
import { redraw } from "../table.js";
import { listed } from "../words.js";

const PATIENCE = 1500; // milliseconds between looks, while one is being played
const LONG = 6; // agents that are named

export async function showAll({ main, title }) {
  title("Tournaments");
  const [all, known] = await Promise.all([games(), get("/api/tournaments")]);
  const shown = h("div", {}), now = h("p", { role: "status" }), drawList = list(shown, all);
  const draw = (found) => { drawList(found); tellPlaying(now, found.playing); };
  let left = false, timer = 0;
  const look = async () => {
    const found = await get("/api/tournaments").catch(() => null);
    if (left) return;
    if (found) draw(found);
    if (!found || busy(found)) timer = setTimeout(look, PATIENCE);
  };
  draw(known);
  if (busy(known)) timer = setTimeout(look, PATIENCE);
  main.append(
    h("div", { class: "hero" },
      h("h1", {}, "Tournaments"),
      h("p", {}, "Agents play each other many times, in every seat and with the same dice. ",
        "See who is better, by how much, and how sure that is.")),
    starting(all, known, now), h("section", { class: "panel" }, h("h2", {}, "All tournaments"), shown));
  return () => { left = true; clearTimeout(timer); };
}

const busy = ({ tournaments }) => tournaments.some(({ status }) => status === "playing");

const place = (name) => `/tournaments/${encodeURIComponent(name)}`;

function starting(all, known, now) {
  return h("details", { class: "panel start-cup", open: !known.tournaments.length },
    h("summary", {}, h("h2", {}, "Start a tournament")), now,
    isOwner() ? new Starting(all, known).element : ownersOnly("Only the owner of this server starts tournaments here."));
}

// Which one is being played, for as long as it is.
function tellPlaying(now, name) {
  const link = h("a", { href: place(name) }, name);
  const words = ["“", link, "” is being played. One is played at a time: wait for it, or cancel it."];
  now.hidden = !name;
  if (now.dataset.name !== name) now.replaceChildren(...(name ? words : []));
  now.dataset.name = name;
}

// Draws the list; what has changed in nothing but its progress stays, so that it can be pressed meanwhile.
function list(shown, all) {
  let before = new Map();
  return ({ tournaments, folder }) => {
    const now = new Map(tournaments.map((row) => {
      const key = JSON.stringify([row.name, row.status, row.problem]), old = before.get(key);
      old?.querySelector(".progress-line").replaceWith(progress(row));
      return [key, old ?? cup(row, all)];
    }));
    const same = now.size && [...now.keys()].join() === [...before.keys()].join();
    before = now;
    if (!same) redraw(shown, now.size ? h("ul", { class: "cups" }, [...now.values()]) : none(folder, all));
  };
}

function cup(row, all) {
  const game = all[row.game], set = sayParameters(row.parameters, game), most = row.agents.length - LONG + 1;
  const few = most > 1 ? [...row.agents.slice(0, LONG - 1), `${most} others`] : row.agents;
  return h("li", { class: "cup" },
    h("a", { class: "cup-name", href: place(row.name), "data-focus": row.name }, row.name), statusTag(row.status),
    h("span", { class: "cup-game" }, game?.title ?? row.game, set ? h("span", { class: "quiet" }, `, ${set}`) : ""),
    h("span", { class: "cup-agents quiet" }, listed(few)),
    progress(row), h("span", { class: "quiet when" }, ago(1000 * row.changed)),
    row.problem ? h("p", { class: "problem" }, row.problem) : "");
}

function none(folder, all) {
  const [name] = inOrder(all), agents = watched(all[name], all[name].seats.length).join(" ");
  return [
    h("p", {}, "There are none yet. Start one above, or play a large one from the command line; it shows up here ",
      "when it is in the server's folder for tournaments:"),
    copyable("the command for a tournament", `hazard tournament ${name} ${agents} --games 10000 --out ${folder}/large`),
  ];
}
