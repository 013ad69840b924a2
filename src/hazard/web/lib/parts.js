// The part that this browser has in the dice of a room: nobody, not even who runs the server, can know or choose a throw
// to come without it. See docs/protocol.md. The secret it is made from stays in this browser.

import { hex, hmac, sha256, unhex, utf8 } from "./sha256.js";
import { keepDice, diceOf } from "./settings.js";

const BYTES = 16; // of a part

export const newSecret = () => hex(crypto.getRandomValues(new Uint8Array(32)));
export const partOf = (secret, number) => hex(hmac(utf8(secret), utf8(`throw ${number}`)).slice(0, BYTES));
export const promiseOf = (secret, number) => hex(sha256(unhex(partOf(secret, number))));
export const isPromised = (part, promise) => hex(sha256(unhex(part))) === promise;

// A wish for a seat with the promise of its first part, and what keeps the secret once the seat is taken.
export function taking(wish) {
  const secret = newSecret();
  return { wish: { ...wish, promise: promiseOf(secret, 1) }, keep: (room) => keepDice(room, { secret, told: 0, at: "" }) };
}

export class Parts {
  constructor(room) {
    Object.assign(this, { room, kept: diceOf(room) });
  }

  get secret() {
    return this.kept?.secret ?? "";
  }

  // The message that tells the part in a throw; null if it was told before, for another place in the game. `at` says for
  // what the dice are thrown. It is remembered before it is told: a browser that is killed does not tell it for another.
  tell(number, at) {
    const { secret, told, at: before } = this.kept ?? {};
    if (!secret || number < told || (number === told && at !== before)) return null;
    this.kept = { secret, told: number, at };
    keepDice(this.room, this.kept);
    return { type: "part", throw: number, part: partOf(secret, number), next: promiseOf(secret, number + 1) };
  }

  owns({ part }, number) {
    return part === partOf(this.secret, number);
  }
}
