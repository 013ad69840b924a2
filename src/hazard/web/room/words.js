// A game in words: who is to move by the text of a position, what an event says, how a game ended.

import { titleOf } from "../lib/seats.js";

// The seat that a position is about (to decide, or whose dice are in the air), by its text; null where it does not say.
export function moverOf(position, seats) {
  const number = /\bp(\d)\b/.exec(position); // "p1 32:41 pot 7", "map 7 p1 A3 ..."
  if (number) return Number(number[1]) - 1;
  const letter = /\| (\w) /.exec(position); // "3x3 r2 b1 ... | r to move"
  if (letter) return orNull(seats.findIndex((seat) => seat.title[0] === letter[1]));
  if (/^a-?\d+ d-?\d+/.test(position)) return / (roll \d|blind|dice)/.test(position) ? 1 : 0; // "a10 d8 roll 5-4"
  return null;
}
const orNull = (index) => (index < 0 ? null : index);

export const inTheAir = (position) => / rolling\b| attacks | attack \d| placing \d/.test(position);

// Dice that are placed one by one.
export const placing = (position) => / plac(ing|es) \d/.test(position);

// What somebody is called; where two have the same name, with the seat.
export function nameOf(store, seat) {
  if (seat === store.seat) return "You";
  const { name, title = `player ${seat + 1}` } = store.seats[seat] ?? {};
  const twice = store.seats.some((other, number) => number !== seat && number !== store.seat && other.name === name);
  return name && twice ? `${name} (${title})` : name || titleOf(title);
}

// "You hold", "optimal holds"
const verb = (store, seat, you, others) => `${nameOf(store, seat)} ${seat === store.seat ? you : others}`;

// "a1-a2" is "a1 → a2", "30>18" is "30 → 18", "keep w" is "keep worms".
export const moveWords = (move) => move.replace(/^(\w+)[->](\w+)$/, "$1 → $2").replace(/^keep w$/, "keep worms");

export function sayEvent(store, event) {
  if (event.type === "begun") return "The game begins.";
  if (event.type === "moved") return `${nameOf(store, event.seat)}: ${moveWords(event.move)}.`;
  if (event.type === "rolled") return `${nameOf(store, event.seat)}: ${event.dice}.`;
  if (event.type === "took_back") return `${verb(store, event.seat, "take", "takes")} back.`;
  return "";
}

// Whose turn it is, or what is waited for.
export function sayTurn(store) {
  if (store.status === "waiting") return sayWaiting(store);
  if (store.ended) return sayResult(store);
  const seat = store.mover ?? (store.live ? moverOf(store.live.position, store.seats) : null);
  if (seat === null) return "The game goes on.";
  if (inTheAir(store.live.position)) return "The dice are rolling.";
  if (seat === store.seat) return "Your turn.";
  const holder = store.seats[seat];
  if (holder?.kind !== "agent" && !holder?.present) return `${nameOf(store, seat)} is to move, and is away.`;
  return holder?.kind === "agent" ? `${nameOf(store, seat)} is thinking.` : `${nameOf(store, seat)} is to move.`;
}

function sayWaiting(store) {
  const open = store.seats.filter((seat) => seat.kind === "open").length;
  return open === 1 ? "One seat is free." : `${open} seats are free.`;
}

// Whether Risk is fought for armies: then payoffs say how many, and not who won.
export const inArmies = ({ game, parameters }) =>
  game === "risk" && (parameters.mode === "stake" || (parameters.objective ?? "hold") !== "hold");

export function sayResult(store) {
  const { payoffs, reason, seat } = store.ended;
  if (reason === "cut") return "The game was cut off after very many moves. It is a tie.";
  if (inArmies(store)) return `${reason === "forfeit" ? `${nameOf(store, seat)} gave up. ` : ""}The battle is over.`;
  const most = Math.max(...payoffs), first = payoffs.flatMap((payoff, at) => (payoff === most ? [at] : []));
  const why = reason === "forfeit" ? `${verb(store, seat, "gave", "gave")} up. ` : "";
  const result = first.length === 1 ? `${verb(store, first[0], "win", "wins")}${why ? "." : "!"}` : sayTie(store, first, payoffs);
  return why + result;
}

const sayTie = (store, first, payoffs) =>
  first.length === payoffs.length ? "A tie." : `A tie between ${first.map((seat) => nameOf(store, seat)).join(" and ")}.`;

// Payoffs, where they say more than who won.
export function sayPayoffs(store) {
  const { payoffs } = store.ended;
  if (inArmies(store)) return sayArmies(store);
  const plain = payoffs.every((payoff) => payoff === 0 || payoff === 1);
  return plain ? "" : payoffs.map((payoff, seat) => `${nameOf(store, seat)} ${Number(payoff.toFixed(4))}`).join(", ");
}

const armiesIn = (position) => /^a(-?\d+) d(-?\d+)/.exec(position).slice(1).map(Number);
const armies = (count) => `${count} ${count === 1 ? "army" : "armies"}`;

// What fell on both sides, and what the battle was fought for.
function sayArmies(store) {
  const before = armiesIn(store.stops[0].position), left = armiesIn(store.live.position);
  const lost = left.map((count, seat) => `${nameOf(store, seat)} lost ${armies(before[seat] - count)}`).join(", ");
  const value = store.ended.payoffs[0], much = armies(Math.abs(value));
  if (store.ended.reason === "forfeit") return `It counts as ${much} for ${nameOf(store, value < 0 ? 1 : 0)}.`;
  const versus = store.parameters.mode !== "stake" && store.parameters.objective === "difference";
  if (!versus) return `${lost}. What counts is what the attacker lost.`;
  return `${lost}. In the end the attacker has ${much} ${value < 0 ? "fewer" : "more"} than the defender.`;
}

// What was set otherwise than by default: "goal 50, sides 8".
export const sayParameters = (parameters, game) =>
  (game?.parameters ?? [])
    .filter(({ name, default: usual }) => name in parameters && String(parameters[name]) !== String(usual))
    .map(({ name }) => `${name.replaceAll("_", " ")} ${parameters[name]}`)
    .join(", ");

export const unusual = (parameters, game) =>
  Object.fromEntries((game?.parameters ?? [])
    .filter(({ name, default: usual }) => name in parameters && String(parameters[name]) !== String(usual))
    .map(({ name }) => [name, parameters[name]]));
