// Games to look at: those being played, those that are over, and files of games to load.

import { ago } from "../lib/ago.js";
import { get, post } from "../lib/api.js";
import { checkList } from "../lib/checks.js";
import { h } from "../lib/dom.js";
import { games } from "../lib/games.js";
import { isShared, sayParameters } from "../room/words.js";

export async function page({ main, title }) {
  title("Games");
  const [all, { rooms }, finished] = await Promise.all([games(), get("/api/rooms"), get("/api/finished")]);
  const open = rooms.filter(({ game }) => game in all);
  main.append(
    h("h1", { class: "page-title" }, "Games"),
    upload(),
    section("Being played", open.length ? table(all, open.slice(0, 20)) : none("No game is being played.")),
    over(all, finished.games));
}

const section = (title, ...parts) => h("section", { class: "panel" }, h("h2", {}, title), parts);
const none = (words) => h("p", { class: "quiet" }, words, " ", h("a", { href: "/" }, "Start one."));

// --- lists ------------------------------------------------------------------------------------------------------------
function over(all, first) {
  const place = h("div", {}), more = h("button", {}, "Earlier games");
  const add = (rows) => {
    const known = rows.filter(({ game }) => game in all);
    if (known.length) place.append(table(all, known));
    more.hidden = rows.length < 50;
    more.onclick = async () => add((await get(`/api/finished?before=${rows.at(-1).changed}`)).games);
  };
  add(first);
  return section("Over", first.length ? [place, more] : none("No game has ended yet."));
}

const table = (all, rows) =>
  h("ul", { class: "rooms" }, rows.map((row) =>
    h("li", {}, link(all, row), h("span", {}, players(row)), h("span", { class: "quiet when" }, ago(1000 * row.changed)))));

function link(all, { room, game, parameters, source }) {
  const set = sayParameters(parameters, all[game]);
  const words = { upload: "from a file, not signed", signed: "from a file, signed by this server" }[source];
  const from = words ? h("span", { class: "tag" }, words) : "";
  return [h("a", { href: `/rooms/${room}` }, all[game].title), set ? h("span", { class: "quiet" }, set) : "", from];
}

function players({ seats, payoffs: paid, status }) {
  const payoffs = paid && isShared(paid) ? paid : null;
  const most = payoffs && Math.max(...payoffs), tie = payoffs?.every((payoff) => payoff === most);
  const called = (who) => (!who || who === "person" ? "somebody" : who);
  const name = (who, seat) => `${called(who)}${payoffs && !tie && payoffs[seat] === most ? " (won)" : ""}`;
  const names = seats.map(name).join(seats.length === 2 ? " against " : ", ");
  return `${names}${tie ? ", a tie" : ""}${status === "waiting" ? ", waits for players" : ""}`;
}

// --- files ------------------------------------------------------------------------------------------------------------
function upload() {
  const words = h("div", { class: "upload-words", role: "status" });
  const input = h("input", { type: "file", accept: ".json,application/json", "aria-label": "a game file" });
  input.addEventListener("change", () => input.files[0] && send(input.files[0], words));
  return section("Load a game",
    h("p", { class: "quiet" }, "A file that was downloaded from a room, here or elsewhere. Every move and roll is checked."),
    input, words);
}

const NOT_SIGNED = "Not signed by this server: the checks say that the game fits together, not who played it, or whether anybody did.";

async function send(file, words) {
  words.replaceChildren(h("p", {}, "Checking ..."));
  try {
    const { room, checks, signed } = await post("/api/files", await file.text());
    words.replaceChildren(
      checkList(checks),
      h("p", {}, signed ? "Signed by this server: it was played here." : NOT_SIGNED),
      h("a", { class: "button primary", href: `/rooms/${room}` }, "Look at the game"));
  } catch (problem) {
    words.replaceChildren(
      h("p", { class: "problem" }, `${file.name}: ${problem.message}`),
      h("p", { class: "quiet" }, "Choose another file, or download a game from its room."));
  }
}
