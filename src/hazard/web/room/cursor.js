// Which position of a game is looked at: the last one as the game goes on ("live"), or one of its past.
// "move" is dispatched when it is another; detail.step is true if it is the next position of a live game, to be animated.

export class Cursor extends EventTarget {
  constructor(store) {
    super();
    Object.assign(this, { store, index: -1, live: true });
    store.addEventListener("change", ({ detail }) => detail.event?.type === "took_back" && this.tookBack());
  }

  // {seq, position, event}, or null before the game begins.
  get stop() {
    return this.store.stops[this.index] ?? null;
  }

  get before() {
    return this.store.stops[this.index - 1] ?? null;
  }

  // Whether the last position of the game is looked at, and nothing waits to be shown.
  get caughtUp() {
    return this.index === this.store.stops.length - 1;
  }

  goTo(index, step = false) {
    this.index = Math.max(Math.min(0, this.store.stops.length - 1), Math.min(index, this.store.stops.length - 1));
    this.live = step ? this.live : this.caughtUp;
    this.dispatchEvent(new CustomEvent("move", { detail: { step } }));
  }

  goToSeq(seq) {
    this.goTo(this.store.stops.findLastIndex((stop) => stop.seq <= seq));
  }

  // Go one step further in a live game; whether there was one.
  follow() {
    if (!this.live || this.caughtUp) return false;
    this.goTo(this.index + 1, true);
    return true;
  }

  toLive() {
    this.goTo(this.store.stops.length - 1);
  }

  // Positions after that which was gone back to are no more; the last stop is where the game stands now.
  tookBack() {
    const last = this.store.stops.length - 1;
    if (this.live) this.index = Math.min(this.index, last - 1);
    else if (this.index >= last) this.toLive();
  }
}
