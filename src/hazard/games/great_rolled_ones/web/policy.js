// The optimal policy of Great Rolled Ones as the server gives it: which pots are rolled with, and what moves are worth.

import { Problem } from "/static/lib/api.js";
import { bitsOf, singles, wholes } from "/static/explore/common.js";

const ONES = ["no ones", "one one", "two ones", "three ones", "four ones"];
export const aside = (ones) => `${ONES[ones] ?? `${ones} ones`} aside`;

export class Policy {
  constructor(found, query) {
    Object.assign(this, { goal: found.goal, bust: found.bust, error: found.error, chances: found.chances,
      parameters: found.parameters, query });
    this.seats = found.seats.map((seat) => ({
      pots: seat.pots, rolls: bitsOf(seat.rolls), made: wholes(seat.made), hold: wholes(seat.hold), start: singles(seat.start),
    }));
    this.rows = new Map(); // what moves are worth, by seat and own score
  }

  cell(ones, own, other) {
    return (ones * this.goal + own) * this.goal + other;
  }

  // Whether rolling is right, with a pot that leaves a choice.
  rolls(seat, ones, own, other, pot) {
    const { pots, rolls } = this.seats[seat];
    return pot < pots && Boolean(rolls(this.cell(ones, own, other) * pots + pot));
  }

  // The smallest pot that is held.
  hold(seat, ones, own, other) {
    return this.seats[seat].hold[this.cell(ones, own, other)];
  }

  // Whether the dice can make a pot with that many ones aside.
  made(seat, ones, pot) {
    return Boolean(this.seats[seat].made[ones * this.seats[seat].pots + pot]);
  }

  start(seat, own, other) {
    return this.seats[seat].start[own * this.goal + other];
  }

  // Runs of pots with the same move, from 1 on: {rolls, low, high}.
  runs(seat, ones, own, other) {
    const found = [];
    for (let pot = 1; pot < this.seats[seat].pots; pot++) {
      const rolls = this.rolls(seat, ones, own, other, pot);
      if (found.at(-1)?.rolls === rolls) found.at(-1).high = pot;
      else found.push({ rolls, low: pot, high: pot });
    }
    return found;
  }

  again(seat, ones, own, other) {
    return this.runs(seat, ones, own, other).filter((run) => run.rolls).length > (this.rolls(seat, ones, own, other, 1) ? 1 : 0);
  }

  // The greatest hold of both players, for one scale of colours in all maps.
  get highest() {
    return (this.most ??= Math.max(...this.seats.map((seat) => seat.hold.reduce((most, each) => Math.max(most, each), 1))));
  }

  // With how many points for player 1 at the start the game is fairest, and its chance then.
  get fairest() {
    const all = Array.from({ length: this.goal }, (_, points) => ({ points, value: this.start(0, points, 0) }));
    return all.reduce((best, each) => (Math.abs(each.value - 0.5) < Math.abs(best.value - 0.5) ? each : best));
  }

  // What both moves are worth in all cells with one own score; asked for once.
  row(seat, own) {
    const key = `${seat} ${own}`;
    if (!this.rows.has(key)) this.rows.set(key, this.fetch(seat, own).catch((problem) => { this.rows.delete(key); throw problem;
      }));
    return this.rows.get(key);
  }

  async fetch(seat, own) {
    const words = new URLSearchParams({ ...this.query, seat, own });
    const answer = await fetch(`/api/explore/great-rolled-ones/worth?${words}`).catch(() => null);
    if (!answer?.ok) throw new Problem(answer ? "busy" : "offline",
      "What moves are worth could not be had. Is the server still running?");
    return new Float32Array(await answer.arrayBuffer());
  }

  // [roll, hold] by pot; NaN where there is no such move.
  async worth(seat, ones, own, other) {
    const row = await this.row(seat, own), { pots } = this.seats[seat], begin = (other * this.bust + ones) * pots * 2;
    return Array.from({ length: pots }, (_, pot) => [row[begin + 2 * pot], row[begin + 2 * pot + 1]]);
  }

  text(seat, ones, own, other, pot) {
    const [first, second] = seat === 0 ? [own, other] : [other, own];
    return `p${seat + 1} ${first}:${second} k${pot} o${pot ? ones : 0}`;
  }
}
