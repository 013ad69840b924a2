// The games there are, as the server tells: in which order, who plays, and the modules that their own folders bring.
// A game is {title, summary, seats, parameters, agents, lab}; `lab` says how it is offered (hazard.rulebook.Lab).

import { get } from "./api.js";

// All games by name, asked for once.
let known;
export const games = () => (known ??= get("/api/games").then((found) => found.games, forget));
const forget = (problem) => {
  known = null;
  throw problem;
};

export const inOrder = (all) => Object.keys(all).sort((one, other) => all[one].lab.place - all[other].lab.place);

// Agents that the game itself names as good ones, those for people to play against first.
export const goodAgents = ({ lab, agents }) => [...new Set([...lab.opponents, ...lab.watch])].filter((name) => name in agents);

// Agents for a person to play against if nothing is said, the strongest first. A game that names none has its last agent
// that answers at once.
export function opponents({ lab, agents }) {
  const good = lab.opponents.filter((name) => name in agents), names = Object.keys(agents);
  return good.length ? good : [names.findLast((name) => !agents[name].slow && !agents[name].solved) ?? names[0]];
}

// For each seat the agent that is watched there.
export function watched(game, seats) {
  const good = game.lab.watch.filter((name) => name in game.agents), names = good.length ? good : opponents(game).slice(0, 1);
  return Array.from({ length: seats }, (_, seat) => names[seat % names.length]);
}

// --- modules of a game's own folder -----------------------------------------------------------------------------------
// `part` is "board", "card" or "explore"; null if the game has none.
export async function partOf(name, part) {
  const { lab } = (await games())[name];
  return lab.web.includes(part) ? import(`/static/games/${name}/${part}.js`) : null;
}

export const boardOf = async (name) => (await partOf(name, "board")) ?? plainBoard((await games())[name]);

// The board of a game that has none of its own.
async function plainBoard({ lab }) {
  const plain = await import("../boards/plain.js"), unit = lab.unit || null;
  return { ...plain, unit: () => unit, create: (setting) => plain.create({ ...setting, unit }) };
}
