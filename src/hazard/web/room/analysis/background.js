// Asks quietly, one by one, for the decisions of a game whose chances are not known yet, the latest first.

import { sleep } from "../../lib/dom.js";

const GAMES = 100; // few: others want the machine, too
const PAUSE = 200; // milliseconds between questions, at least

export class BackgroundQuestions {
  constructor(store, knowledge) {
    Object.assign(this, { store, knowledge, running: false, closed: false, given: new Set() });
  }

  // A stop that a move was made from and of which nothing is known.
  next() {
    const { stops } = this.store, { knowledge, given } = this;
    const unknown = ({ position }) => !knowledge.chancesAt(position) && !given.has(position);
    return stops.findLast((stop, index) => stops[index + 1]?.event.type === "moved" && unknown(stop));
  }

  async run() {
    if (this.running) return;
    this.running = true;
    for (let stop = this.next(); stop && !this.closed; stop = this.next()) await this.ask(stop);
    this.running = false;
  }

  // It rests as long as it worked.
  async ask(stop) {
    const began = performance.now();
    this.given.add(stop.position);
    if (document.hidden) await sleep(5000);
    else await this.knowledge.askStop(stop, GAMES).catch(() => null);
    await sleep(Math.max(PAUSE, Math.min(5000, performance.now() - began)));
  }
}
