// Shows what happens one step at a time, in the chosen speed, and can be paused. Who draws hands its promise to `drawn`.

import { sleep } from "../lib/dom.js";
import { duration } from "../lib/settings.js";

const MANY = 40; // waiting steps; if there are more, a player is shown them faster
const LONG = 600; // waiting steps; if there are more, a player is not shown them

export class Presenter extends EventTarget {
  constructor(store, cursor) {
    super();
    Object.assign(this, { store, cursor, busy: false, paused: false, closed: false, drawn: null, haste: 1 });
    store.addEventListener("change", ({ detail }) => this.heard(detail.why));
  }

  heard(why) {
    if (why === "snapshot") this.arrive();
    else if (why === "event") this.run();
  }

  // After entering or coming back the game is shown as it stands.
  arrive() {
    if (this.cursor.live) this.cursor.toLive();
  }

  pause(paused) {
    this.paused = paused;
    this.dispatchEvent(new Event("change"));
    this.run();
  }

  async run() {
    if (this.busy) return;
    this.busy = true;
    while (!this.paused && !this.closed && this.cursor.live && !this.cursor.caughtUp) await this.step();
    this.busy = false;
    if (!this.closed) this.dispatchEvent(new Event("change"));
  }

  async step() {
    const { cursor, store } = this;
    const waiting = store.stops.length - 1 - cursor.index;
    if (waiting > LONG && store.seat !== null) return cursor.toLive();
    this.haste = store.seat === null ? 1 : Math.min(1, MANY / waiting);
    const began = performance.now();
    this.drawn = null;
    cursor.follow();
    const time = this.time(cursor.stop);
    await Promise.race([this.drawn, sleep(3 * time + 1000)]);
    const rest = time * this.stay(cursor.stop) - (performance.now() - began);
    if (rest > 0) await sleep(rest);
  }

  // Milliseconds for the animation that leads to a stop. Dice that leave the hand are quick, dice that land are not.
  time(stop) {
    const whole = duration() * this.haste;
    if (!stop?.rolling) return whole;
    return (stop.event.type === "rolled" ? 0.25 : 0.3) * whole; // one of several that land one by one; out of the hand
  }

  // How long a stop is seen, in parts of that time.
  stay(stop) {
    if (stop?.event.type !== "rolled") return 1;
    return this.store.seat === stop.event.seat ? 1 : 1.5;
  }

  close() {
    this.closed = true;
  }
}
