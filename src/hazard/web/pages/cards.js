// Small pictures of games, which their own folders draw; a die for a game that draws none.

import { die } from "../lib/dice.js";
import { s } from "../lib/dom.js";
import { partOf } from "../lib/games.js";

const drawn = (wide, high, kind, parts) =>
  s("svg", { viewBox: `0 0 ${wide} ${high}`, class: kind, "aria-hidden": "true" }, parts ?? die(wide / 2 - 19, high / 2 - 19, 38, 6));
const own = (name) => partOf(name, "card").catch(() => null); // the page does without a picture

// For the start page, and for the list of solved games.
export const card = async (name) => drawn(160, 90, "card-picture", (await own(name))?.picture());
export const cover = async (name) => drawn(200, 100, "picture x-cover", (await own(name))?.cover?.());
