// Links that open what is shown: the position alone, or this game at this place.

import { copyable } from "../lib/copy.js";
import { dialog } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { address } from "../lib/route.js";
import { unusual } from "./words.js";

export const positionAddress = (game, parameters, facts, position) =>
  address("/position", { game, ...unusual(parameters, facts), position });

export function share({ store, cursor, game }) {
  const { position, seq } = cursor.stop;
  const alone = location.origin + positionAddress(store.game, store.parameters, game, position);
  const here = `${location.origin}/rooms/${store.room}?at=${seq}`;
  dialog("Share", (close) => [
    h("h3", {}, "This position"),
    h("p", { class: "quiet" }, "Opens on any Hazard server; others can analyse it and play on from it."),
    copyable("link to this position", alone),
    h("h3", {}, "This game, at this place"),
    h("p", { class: "quiet" }, "Opens the room on this server. Whoever has it can look on."),
    copyable("link to this game at this place", here),
    h("h3", {}, "The position as text"),
    copyable("position as text", position),
    h("div", { class: "row end" }, h("button", { onclick: close }, "Close")),
  ]);
}
