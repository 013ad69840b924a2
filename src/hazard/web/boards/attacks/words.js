// What goes on in a game of attacks, in words.

import { ends } from "./hexagons.js";
import { count, nameOf, who } from "../table.js";

const verb = ({ seats, view }, seat, you, others) => `${who(seats, view, seat)} ${view.seat === seat ? you : others}`;

// The line below the board: how the last battle went, and what may be done now.
export function say(board) {
  const { view, now, last } = board;
  if (last?.won === null) return attack(board, last);
  if (view.payoffs || now.phase === "over") return ending(board);
  return [board.news && !board.chosen ? outcome(board, last) : "", prompt(board)].filter(Boolean).join(" ");
}

const attack = (board, { seats, fields: [from, to] }) =>
  `${verb(board, seats[0], "attack", "attacks")} ${board.rules.field} ${to} from ${from}.`;
const outcome = (board, { won, seats, fields }) =>
  `${verb(board, seats[0], "have", "has")} ${won ? "taken" : "failed to take"} ${board.rules.field} ${fields[1]}.`;

function prompt(board) {
  const { view, now, seats, rules, chosen } = board, attacks = view.moves.filter((move) => ends(move).length === 2);
  if (now.phase === "place") return placing(board);
  if (!view.moves.length) return view.seat === now.mover ? "" : `${nameOf(seats, now.mover)} is to move.`;
  if (chosen) return `Attack from ${rules.field} ${chosen}, with ${diceOf(board.at(chosen).dice)}: which ${rules.field}?`;
  if (!attacks.length) return "No attack is possible: end the turn.";
  return `Choose a ${rules.field} of yours that attacks${view.moves.includes("end") ? ", or end the turn" : ""}.`;
}

function placing({ view, now, seats, rules }) {
  if (view.moves.length) return `Place a die on one of your ${rules.fields}: ${now.left} left.`;
  return `New dice for ${view.seat === now.mover ? "you" : nameOf(seats, now.mover)}: ${now.left} to come.`;
}

const diceOf = (number) => count(number, "die", "dice");

function ending(board) {
  const { view, seats } = board;
  if (!view.payoffs) return "The game is over.";
  const most = Math.max(...view.payoffs), first = seats.map((_, seat) => seat).filter((seat) => view.payoffs[seat] === most);
  if (first.length === 1) return `${verb(board, first[0], "have", "has")} won.`;
  return `${first.map((seat) => nameOf(seats, seat)).join(" and ")} share the win.`;
}
