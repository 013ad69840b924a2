// The start page: a card for each game; a game starts in two clicks. Also games that wait for players, and one's own.

import { ago } from "../lib/ago.js";
import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { games, inOrder } from "../lib/games.js";
import { openFirst } from "../lib/rooms.js";
import { rename } from "../lib/route.js";
import { forgetRoom, keptRooms } from "../lib/settings.js";
import { card } from "./cards.js";
import { Setup } from "./setup.js";

export async function page({ query, main, title }) {
  title("");
  const all = await games();
  const names = inOrder(all).filter((name) => !all[name].atlas), pictures = await Promise.all(names.map(card));
  const setup = h("section", { class: "panel setup-panel", hidden: true, tabindex: "-1" });
  const button = (name, at) => cardOf(name, all[name], pictures[at], () => choose(name, true));
  const cards = h("ul", { class: "cards" }, names.map((name, at) => h("li", {}, button(name, at))));
  const choose = (name, move) => open(name, all[name], setup, cards, move);
  main.append(
    h("div", { class: "hero" }, h("h1", {}, "Dice games, played and understood"),
      h("p", {}, "Play against agents or friends. Turn on the analysis and see what every move is worth.")),
    cards, setup, await mine(all), await waiting(all));
  if (names.includes(query.get("game"))) choose(query.get("game"), false);
}

function cardOf(name, game, picture, press) {
  return h("button", { class: "card", "data-game": name, "aria-expanded": "false", onclick: press },
    picture, h("span", { class: "card-title" }, game.title),
    h("span", { class: "card-words" }, game.lab.invitation || game.summary));
}

function open(name, game, panel, cards, move) {
  for (const one of cards.querySelectorAll(".card")) one.setAttribute("aria-expanded", String(one.dataset.game === name));
  rename(`/?game=${name}`);
  const setup = new Setup(name, game);
  const start = (requests) => begin(setup, requests, panel);
  const play = h("button", { class: "primary big", onclick: () => start(setup.play()) }, "Play");
  const watch = h("button", { class: "big", onclick: () => start(setup.watch()) }, "Watch agents play");
  panel.setAttribute("aria-label", `set up ${game.title}`);
  panel.replaceChildren(h("h2", {}, game.title), h("div", { class: "row" }, play, watch), setup.element);
  panel.hidden = false;
  if (!move) return;
  play.focus({ preventScroll: true });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const below = panel.getBoundingClientRect().bottom > innerHeight;
  panel.scrollIntoView({ block: below ? "start" : "nearest", behavior: still ? "auto" : "smooth" });
}

async function begin(setup, requests, panel) {
  const buttons = panel.querySelectorAll(".big");
  for (const button of buttons) button.disabled = true;
  const words = setTimeout(() => setup.wait("One moment, the game is being set up ..."), 400);
  try {
    await openFirst("/api/rooms", requests);
  } catch (problem) {
    setup.say(problem.message);
    for (const button of buttons) button.disabled = false;
  } finally {
    clearTimeout(words);
    setup.wait("");
  }
}

// --- games to go on with, and to join ---------------------------------------------------------------------------------
async function mine(all) {
  const rooms = keptRooms().filter(({ over, game }) => !over && game in all).reverse().slice(0, 6);
  const row = ({ room, game, names, at }) => {
    const drop = () => {
      forgetRoom(room);
      line.remove();
    };
    const words = `${all[game].title} against ${names.join(", ")}`;
    const forget = h("button", { class: "plain", "aria-label": `forget ${words}`, onclick: drop }, "×");
    const line = rowOf(room, words, at, forget);
    return line;
  };
  return section("Go on with your games", rooms.map(row));
}

async function waiting(all) {
  const own = new Set(keptRooms().map(({ room }) => room));
  const { rooms } = await get("/api/rooms").catch(() => ({ rooms: [] }));
  const open = rooms.filter(({ room, status, game }) => status === "waiting" && !own.has(room) && game in all).slice(0, 8);
  const row = ({ room, game, seats, changed }) => {
    const names = seats.filter(Boolean);
    return rowOf(room, `Join: ${all[game].title}${names.length ? ` with ${names.join(", ")}` : ""}`, 1000 * changed);
  };
  return section("Rooms that wait for players", open.map(row));
}

const section = (title, rows) =>
  rows.length ? h("section", { class: "panel" }, h("h2", {}, title), h("ul", { class: "rooms" }, rows)) : "";
const rowOf = (room, words, time, ...more) =>
  h("li", {}, h("a", { href: `/rooms/${room}` }, words), h("span", { class: "quiet" }, ago(time)), more);
