// Who sits where, who is there, whose turn it is; and the link for those who are waited for.

import { copyable } from "../lib/copy.js";
import { h } from "../lib/dom.js";
import { markOf, titleOf } from "../lib/seats.js";
import { isShared } from "./words.js";

const LOCAL = /^(127\.|localhost|\[::1\])/; // names of this machine that others do not know
const ALONE = 'This server can be reached from this machine alone. To play with somebody on another one, start it with '
  + '"hazard lab --host 0.0.0.0", and open it by the name or number of this machine.';

export class SeatsPart {
  constructor({ store, cursor, game }) {
    Object.assign(this, { store, cursor, game });
    this.list = h("ul", { class: "seats", "aria-label": "seats" });
    this.invite = h("div", { class: "invite panel", hidden: true });
    this.element = h("div", {}, this.list, this.invite);
    this.update();
  }

  update() {
    const { store, cursor } = this, stop = cursor.stop;
    const turn = stop && !(store.ended && cursor.caughtUp) ? stop.mover : null;
    this.list.replaceChildren(...store.seats.map((seat, number) => this.chip(seat, number, turn === number, stop)));
    this.showInvite();
  }

  chip(seat, number, turn, stop) {
    const mine = number === this.store.seat;
    const payoffs = this.cursor.caughtUp ? this.store.ended?.payoffs : null;
    const won = payoffs && isShared(payoffs) && payoffs[number] === Math.max(...payoffs);
    const own = seat.name ? `${seat.name} (you)` : "You";
    const name = mine ? own : seat.name || (seat.kind === "open" ? "free" : titleOf(seat.title));
    const mark = turn ? (stop.rolling ? "rolling" : "to move") : won ? "won" : "";
    return h("li", { class: `seat-chip seat-${number} ${turn ? "to-move" : ""}`, title: this.game?.agents[seat.name]?.summary },
      h("span", { class: "seat-mark", "aria-hidden": "true" }, markOf(seat.title, number)),
      h("span", { class: "seat-words" }, h("strong", {}, name), h("span", { class: "quiet" }, this.kind(seat, number, mine))),
      mark ? h("span", { class: "seat-turn" }, mark) : null);
  }

  kind(seat, number, mine) {
    const there = seat.kind === "agent" || seat.kind === "open" || mine || seat.present ? "" : ", away";
    const times = this.store.backs.get(number) ?? 0, backs = times ? `, took back ${times === 1 ? "once" : `${times} times`}` : "";
    return `${titleOf(seat.title)}${mine || seat.kind === "open" ? "" : `, ${seat.kind}`}${there}${backs}`;
  }

  showInvite() {
    const { store } = this;
    const wanted = store.status === "waiting" && store.seat !== null && store.seats.some(({ kind }) => kind === "open");
    if (wanted === !this.invite.hidden) return;
    this.invite.hidden = !wanted;
    const link = `${location.origin}/rooms/${store.room}`;
    this.invite.replaceChildren(
      h("h2", {}, "Waiting for the other player"),
      h("p", {}, "Whoever opens this link can take a free seat. The game begins by itself. Its dice wait for you while this page is closed."),
      copyable("link to this room", link),
      LOCAL.test(location.host) ? h("p", { class: "quiet" }, ALONE) : "");
  }
}
