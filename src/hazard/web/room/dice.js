// Who takes part in the dice of this game, in words; and an alarm if the server did not keep to it.

import { h } from "../lib/dom.js";
import { nameOf } from "./words.js";

const FAIR = "Every throw is drawn from a secret of the server and a part of every seat below. All of these are fixed by "
  + "fingerprints before any is told, so that nobody can know or choose dice that are still to come.";
const ALONE = "These dice are the server's alone. It is bound to a secret that it chose before the game, and shows it "
  + "afterwards; but whoever runs the server can know them beforehand.";
const OLD = "This game has dice of the old form: whoever ran the server could know them beforehand, and aim them.";

export class DicePart {
  constructor({ store }) {
    this.store = store;
    this.words = h("p", {});
    this.list = h("ul", { class: "dice-parts" });
    this.alarm = h("p", { class: "bar bad dice-alarm", role: "alert", hidden: true });
    this.summary = h("summary", {}, "Fair dice");
    this.element = h("div", {}, this.alarm, h("details", { class: "panel how dice" }, this.summary, this.words, this.list));
    this.update();
  }

  update() {
    const { store } = this, { thrown } = store;
    this.element.hidden = Boolean(store.foreign) || !store.game;
    this.alarm.hidden = !thrown.wrong;
    if (this.alarm.textContent !== thrown.wrong) this.alarm.textContent = thrown.wrong;
    const rows = store.seats.map((seat, number) => this.row(seat, number)).filter(Boolean);
    this.words.textContent = store.oldForm ? OLD : rows.length ? FAIR : ALONE;
    this.list.replaceChildren(...rows.map((words) => h("li", {}, words)));
    const mine = thrown.promised.has(store.seat);
    this.summary.textContent = mine ? "Fair dice: your browser takes part" : "Fair dice";
  }

  row(seat, number) {
    const { store } = this, { count, withheld, promised, made } = store.thrown, throws = count.get(number) ?? 0;
    if (withheld.has(number)) return `${nameOf(store, number)}: did not tell the part in throw ${withheld.get(number)}, and none since`;
    return promised.has(number) ? `${nameOf(store, number)}: part in ${throws} of ${made} throws` : "";
  }
}
