// What a hint says: first what to look at, then the move.

import { h } from "../../lib/dom.js";
import { moveWords } from "../words.js";
import { costOf, moveSpoken, reason, scaleOf } from "./figures.js";
import { knowledgeOf } from "./knowledge.js";

export { hint as point } from "./moves.js";

const GAMES = 500; // rollouts of each move, where nothing better is known
const CLOSE = 0.01; // a difference below this is a close decision
const NAMED = 3; // moves that are named at first, of many
const FIRST_SENTENCE = /^.*?[.](?= |$)/;

export const learn = (store, stop) => knowledgeOf(store).askStop(stop, GAMES);

// How much hangs on it, and between which moves it lies; then a fact about a move that may or may not be the best.
export function look(store, found) {
  const { moves } = found, { cost, sure } = costOf(found, moves[1].move), scale = scaleOf(store);
  if (!sure) return [h("p", {}, "The best moves are about equal: follow your taste."), ...between(store, moves)];
  const size = cost < CLOSE ? "a close decision" : "it matters";
  return [h("p", {}, `The second best move costs ${scale.points(cost)}: ${size}.`), ...between(store, moves), ...fact(store, moves)];
}

const byName = (moves, count) => moves.slice(0, count).map(({ move }) => move).sort((a, b) => a.localeCompare(b));

function between(store, moves) {
  if (moves.length < NAMED) return [];
  const names = byName(moves, NAMED).map((move) => moveSpoken(store, move));
  return [h("p", {}, `Look at ${names.slice(0, -1).join(", ")} and ${names.at(-1)}.`)];
}

function fact(store, moves) {
  const first = moves.find(({ move }) => move === byName(moves, 2)[0]);
  return first.why ? [h("p", {}, h("strong", {}, `${moveWords(store, first.move)}: `), first.why.match(FIRST_SENTENCE)?.[0] ?? first.why)] : [];
}

export function tell(store, found) {
  const [best] = found.moves;
  return [
    h("p", {}, "Play ", h("strong", {}, moveWords(store, best.move)), "."),
    ...(best.why ? [reason(store, found.mover, best.why)] : []),
  ];
}
