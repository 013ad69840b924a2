// What can be done in a room beside moving: a hint, take back, resign, branch off, share, download; speed and pause.

import { h } from "../lib/dom.js";
import { choose, setting } from "../lib/settings.js";
import { sure } from "../lib/dialog.js";
import { share } from "./share.js";

const SPEEDS = [["off", "no animation"], ["fast", "fast"], ["normal", "normal"], ["slow", "slow"]];

export class ActionsPart {
  constructor(context) {
    this.context = context;
    const { store, presenter } = context;
    const button = (text, onclick, more = {}) => h("button", { onclick, ...more }, text);
    this.back = button("Take back", () => store.back(), { "data-key": "t", title: "take your last move back (t)" });
    this.branch = button("What if ...", () => context.branch(context.cursor.stop.seq), { title: "play on from here" });
    this.share = button("Share", () => share(context));
    this.file = h("a", { class: "button", download: true, href: `/api/rooms/${store.room}/file` }, "Download");
    this.resign = button("Resign", () => this.askResign());
    this.pause = button("Pause", () => presenter.pause(!presenter.paused), { "data-key": "p" });
    this.element = h("div", { class: "actions row", role: "group", "aria-label": "actions" },
      context.hint.button, this.pause, this.back, this.branch, this.share, this.file, this.resign, speed());
    this.update();
  }

  update() {
    const { store, cursor, presenter } = this.context;
    const playing = store.status === "playing", seated = store.seat !== null;
    this.back.hidden = this.resign.hidden = !seated || !playing;
    const moved = ({ event }) => event.type === "moved" && event.seat === store.seat;
    this.back.disabled = !store.connected || !store.stops.some(moved);
    this.branch.disabled = !cursor.stop || (Boolean(store.ended) && cursor.caughtUp && store.ended.reason === "over");
    this.share.disabled = !cursor.stop;
    this.pause.hidden = seated || (!playing && (cursor.caughtUp || !cursor.live));
    this.pause.textContent = presenter.paused ? "Go on" : "Pause";
  }

  async askResign() {
    const yes = await sure("Give up this game?", "The others win. This cannot be taken back.", "Give up", "Play on");
    if (yes) this.context.store.resign();
  }
}

function speed() {
  const options = SPEEDS.map(([value, name]) => h("option", { value, selected: setting("speed") === value }, name));
  const select = h("select", { onchange: () => choose("speed", select.value) }, options);
  return h("label", { class: "speed" }, "Speed ", select);
}
