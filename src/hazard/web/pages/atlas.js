// The atlas: famous games, each solved from its rules alone, with certified values beside what was published.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { games } from "../lib/games.js";
import { openFirst } from "../lib/rooms.js";
import { setting } from "../lib/settings.js";
import { styled } from "../lib/styles.js";
import { table, wide } from "../results/table.js";
import { count } from "../results/words.js";

const COLUMNS = ["Rules", "Positions", "Value to the first player", "Error", "Time", "Published", "Verdict", { name: "", label: "play" }];

export async function page({ main, title }) {
  await styled("/static/results/results.css");
  title("Atlas");
  const [all, { lines }] = await Promise.all([games(), get("/api/atlas")]);
  const names = [...new Set(lines.map(({ game }) => game))], done = lines.filter(({ certified }) => certified).length;
  main.append(
    h("div", { class: "hero" },
      h("h1", {}, "Atlas"),
      h("p", {}, `Famous dice games, solved from their rules alone. ${count(done)} of ${count(lines.length)} lines have a value `,
        "that is proven, with a lower and an upper bound.")),
    ...names.map((name) => section(all[name], lines.filter(({ game }) => game === name))));
}

function section(game, lines) {
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  return h("section", { class: "panel" },
    h("h2", {}, game.title), h("p", { class: "quiet" }, game.summary), problem,
    wide(game.title, table(game.title, COLUMNS, lines.map((line) => row(game, line, problem)))));
}

function row(game, line, problem) {
  const published = line.published.map(({ figure, source }) => h("div", {}, figure, " ", h("span", { class: "quiet" }, source)));
  const facts = line.certified ? [count(line.positions), line.shown, line.error.toExponential(1), line.time] : ["", "", "", ""];
  const words = line.table ? `Play against ${line.against}` : "Play";
  const play = h("button", { "aria-label": `${words}: ${game.title}, ${line.rules}`, onclick: () => start(game, line, problem) }, words);
  return [line.rules, ...facts, published, line.verdict, play];
}

// A room in which the person has the first seat.
async function start(game, { game: name, parameters, against }, problem) {
  const seats = game.seats.map((_, seat) => (seat ? { agent: against } : {}));
  try {
    await openFirst("/api/rooms", [{ room: { game: name, parameters, seats }, sit: { seat: 0, name: setting("name") } }]);
  } catch (said) {
    problem.hidden = false;
    problem.textContent = said.message;
  }
}
