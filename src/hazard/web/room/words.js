// A game in words: what an event says, whose turn it is, how a game ended. `store` is a room (RoomStore), whose
// `gameModule` is the board module of the game: it may say moves and payoffs in words of its own.

import { titleOf } from "../lib/seats.js";

// What somebody is called; where two have the same name, with the seat.
export function nameOf(store, seat) {
  if (seat === store.seat) return "You";
  const { name, title = `player ${seat + 1}` } = store.seats[seat] ?? {};
  const twice = store.seats.some((other, number) => number !== seat && number !== store.seat && other.name === name);
  return name && twice ? `${name} (${title})` : name || titleOf(title);
}

// "You hold", "optimal holds"
const verb = (store, seat, you, others) => `${nameOf(store, seat)} ${seat === store.seat ? you : others}`;

export const moveWords = ({ gameModule }, move) => gameModule.moveWords?.(move) ?? move;

export function sayEvent(store, event) {
  if (event.type === "begun") return "The game begins.";
  if (event.type === "moved") return `${nameOf(store, event.seat)}: ${moveWords(store, event.move)}.`;
  if (event.type === "rolled") return `${nameOf(store, event.seat)}: ${event.dice}.`;
  if (event.type === "took_back") return `${verb(store, event.seat, "take", "takes")} back.`;
  return "";
}

// Whose turn it is, or what is waited for.
export function sayTurn(store) {
  if (store.status === "waiting") return sayWaiting(store);
  if (store.ended) return sayResult(store);
  const seat = store.mover ?? store.live?.mover ?? null;
  if (seat === null) return "The game goes on.";
  if (store.live.rolling) return `The dice are rolling.${sayAwaited(store)}`;
  if (seat === store.seat) return "Your turn.";
  const holder = store.seats[seat];
  if (holder?.kind !== "agent" && !holder?.present) return `${nameOf(store, seat)} is to move, and is away.`;
  return holder?.kind === "agent" ? `${nameOf(store, seat)} is thinking.` : `${nameOf(store, seat)} is to move.`;
}

// Seats whose part in the dice cannot come, since nobody is there.
function sayAwaited(store) {
  const away = store.seats.flatMap((seat, number) =>
    (number !== store.seat && store.thrown.promised.has(number) && !seat.present ? [nameOf(store, number)] : []));
  return away.length ? ` They wait for ${away.join(" and ")}, who takes part in them and is away.` : "";
}

function sayWaiting(store) {
  const open = store.seats.filter((seat) => seat.kind === "open").length;
  if (!open) return `The board is being dealt.${sayAwaited(store)}`;
  return open === 1 ? "One seat is free." : `${open} seats are free.`;
}

// Whether payoffs are shares of one win. Others say how much of something each seat gets, and not who won.
export const isShared = (payoffs) =>
  payoffs.every((payoff) => payoff >= 0) && Math.abs(payoffs.reduce((sum, payoff) => sum + payoff, 0) - 1) < 1e-9;

export function sayResult(store) {
  const { payoffs, reason, seat } = store.ended;
  if (reason === "cut") return "The game was cut off after very many moves. It is a tie.";
  const why = reason === "forfeit" ? `${nameOf(store, seat)} gave up. ` : "";
  if (!isShared(payoffs)) return `${why}The game is over.`;
  const most = Math.max(...payoffs), first = payoffs.flatMap((payoff, at) => (payoff === most ? [at] : []));
  const result = first.length === 1 ? `${verb(store, first[0], "win", "wins")}${why ? "." : "!"}` : sayTie(store, first, payoffs);
  return why + result;
}

const sayTie = (store, first, payoffs) =>
  first.length === payoffs.length ? "A tie." : `A tie between ${first.map((seat) => nameOf(store, seat)).join(" and ")}.`;

// Payoffs, where they say more than who won; the game may say them in its own words.
export function sayPayoffs(store) {
  const { payoffs } = store.ended, names = store.seats.map((_, seat) => nameOf(store, seat));
  if (payoffs.every((payoff) => payoff === 0 || payoff === 1) && isShared(payoffs)) return "";
  const words = store.gameModule.sayPayoffs?.(store, names);
  return words ?? payoffs.map((payoff, seat) => `${names[seat]} ${Number(payoff.toFixed(4))}`).join(", ");
}

// What was set otherwise than by default, and in words: "goal 50, sides 8".
export const unusual = (parameters, game) =>
  Object.fromEntries((game?.parameters ?? [])
    .filter(({ name, default: usual }) => name in parameters && String(parameters[name]) !== String(usual))
    .map(({ name }) => [name, parameters[name]]));

export const sayParameters = (parameters, game) =>
  Object.entries(unusual(parameters, game)).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ");
