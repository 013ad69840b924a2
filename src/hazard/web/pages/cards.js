// Small pictures of games, which their own folders draw; a die for a game that draws none.

import { die } from "../lib/dice.js";
import { s } from "../lib/dom.js";
import { partOf } from "../lib/games.js";

const framed = (wide, high, kind, parts = die(wide / 2 - 19, high / 2 - 19, 38, 6)) =>
  s("svg", { viewBox: `0 0 ${wide} ${high}`, class: kind, "aria-hidden": "true" }, parts);
const own = (name) => partOf(name, "card").catch(() => null); // the page does without a picture

// For the start page, and for the list of solved games.
export const card = async (name) => framed(160, 90, "card-picture", (await own(name))?.picture());
export const cover = async (name) => framed(200, 100, "picture x-cover", (await own(name))?.cover?.());
