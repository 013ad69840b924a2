// How a game is set up if nothing else is said: parameters for a good first game, who plays, and who can be watched.

const GAMES = {
  pig: { important: ["goal"], agents: ["optimal", "hold-at-20"], watch: ["optimal", "hold-at-20"] },
  "great-rolled-ones": { important: ["goal", "players"], agents: ["optimal", "keep-pace"], watch: ["optimal", "keep-pace"] },
  risk: {
    important: ["attackers", "defenders", "rule", "stop"], agents: ["optimal", "koole"], watch: ["optimal", "optimal"],
    seat: 1, // only the defender has much to decide
  },
  "dice-of-doom": {
    important: ["board", "max_dice", "players"], agents: ["greedy", "expansion"], watch: ["greedy", "expansion"],
    parameters: { board: "3x3", max_dice: 3 },
  },
  pickomino: { important: ["players", "tiles"], agents: ["master", "turn"], watch: ["master", "turn"] },
  "dice-wars": {
    important: ["players", "territories"], agents: ["master-fast", "ste-corrected", "ste"],
    watch: ["master-fast", "ste-corrected", "ste", "sdc"],
  },
};

export const ORDER = ["pig", "great-rolled-ones", "risk", "dice-of-doom", "pickomino", "dice-wars"];
export const defaultsOf = (game) => ({ important: [], agents: [], watch: [], parameters: {}, seat: 0, ...GAMES[game] });

// Agents that a person may play against if nothing is said, the strongest first.
export const opponents = (game, agents) => {
  const good = defaultsOf(game).agents.filter((name) => name in agents);
  return good.length ? good : [Object.keys(agents).findLast((name) => !agents[name].slow) ?? Object.keys(agents)[0]];
};
export const strongest = (game, agents) => opponents(game, agents)[0];

// For each seat the agent that is watched there.
export const watched = (game, agents, seats) => {
  const good = defaultsOf(game).watch.filter((name) => name in agents);
  const names = good.length ? good : [strongest(game, agents)];
  return Array.from({ length: seats }, (_, seat) => names[seat % names.length]);
};
