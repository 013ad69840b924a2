// Who takes part in the dice of a game, as this browser has seen it: what each seat promised and told, and whether the
// server kept to it.

import { isPromised } from "../lib/parts.js";

const THROWS = new Set(["begun", "rolled", "withheld"]); // events that say what a throw was drawn from

export class Thrown {
  constructor(parts) {
    Object.assign(this, { parts, made: 0, promised: new Map(), count: new Map(), withheld: new Map(), wrong: "" });
  }

  follow(event, own) {
    if (event.type === "sat" && event.promise) this.promised.set(event.seat, event.promise);
    if (!THROWS.has(event.type) || !(event.throw > this.made)) return;
    this.made = event.throw;
    for (const given of event.parts ?? []) this.given(given, event);
    if (event.type === "withheld") this.leave(event);
    else if (this.promised.size > (event.parts ?? []).length) this.doubt("not all parts are in it", event);
    if (this.parts.secret && this.promised.has(own) && !this.uses(event, own)) this.doubt("not with the part of this browser", event);
  }

  given(given, event) {
    const { seat, part, next } = given;
    if (!isPromised(part, this.promised.get(seat))) this.doubt(`the part of seat ${seat + 1} is not the one it promised`, event);
    this.promised.set(seat, next);
    if (event.type !== "withheld") this.count.set(seat, (this.count.get(seat) ?? 0) + 1);
  }

  leave(event) {
    for (const seat of event.seats) {
      this.promised.delete(seat);
      this.withheld.set(seat, event.throw);
    }
  }

  uses(event, own) {
    const mine = event.parts?.find(({ seat }) => seat === own);
    return mine ? this.parts.owns(mine, event.throw) : event.type === "withheld";
  }

  doubt(words, event) {
    this.wrong ||= `Throw ${event.throw}: ${words}. Do not trust these dice.`;
  }
}
