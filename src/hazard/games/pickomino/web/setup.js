// A table of Pickomino as somebody sets it up: tiles, stacks, dice aside, and dice rolled as far as they are pressed in.

import { LOWEST, MARKS, parse, stops } from "./turn.js";

export const DICE = 8;
export const TILES = Array.from({ length: 16 }, (_, n) => LOWEST + n);
const sorted = (marks) => [...marks].sort((a, b) => MARKS.indexOf(a) - MARKS.indexOf(b));

// "21-24,27"
function ranges(tiles) {
  const runs = [];
  for (const tile of tiles) {
    if (runs.length && runs.at(-1)[1] === tile - 1) runs.at(-1)[1] = tile;
    else runs.push([tile, tile]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(",") || "-";
}

export class TableSetup {
  constructor(players) {
    this.stacks = Array.from({ length: players }, () => []);
    this.centre = [...TILES];
    this.turned = [];
    this.mover = 0;
    this.newTurn();
  }

  read(text) {
    const now = parse(text);
    Object.assign(this, { mover: now.mover, stacks: now.stacks, centre: now.centre, turned: now.turned });
    Object.assign(this, { kept: sorted(now.kept), rolled: sorted(now.rolled), rolling: now.rolling || now.rolled.length > 0 });
  }

  // All there is, to come back to it.
  get memory() {
    const { mover, stacks, centre, turned, kept, rolled, rolling } = this;
    return structuredClone({ mover, stacks, centre, turned, kept, rolled, rolling });
  }

  newTurn(mover = this.mover) {
    Object.assign(this, { mover, kept: [], rolled: [], rolling: true });
  }

  get left() {
    return DICE - this.kept.length;
  }

  // Whether all dice that were rolled have been pressed in.
  get complete() {
    return this.rolled.length === this.left && this.left > 0;
  }

  // Whether some are missing, so that there is nothing to ask.
  get partial() {
    return this.rolled.length > 0 && !this.complete;
  }

  // Whether the roll shows no face that is not aside already.
  get failed() {
    return this.complete && this.rolled.every((mark) => this.kept.includes(mark));
  }

  addRolled(mark) {
    if (this.rolled.length >= this.left) return false;
    this.rolling = true;
    this.rolled = sorted([...this.rolled, mark]);
    return true;
  }

  // Dice aside are set up face by face; with any change it is open whether one stops or rolls.
  addKept(mark) {
    if (this.kept.length >= DICE) return false;
    this.kept = sorted([...this.kept, mark]);
    this.changedKept();
    return true;
  }

  changedKept() {
    this.rolled = [];
    this.rolling = !this.canStop;
  }

  remove(row, index) {
    this[row] = this[row].filter((_, n) => n !== index);
    if (row === "kept") this.changedKept();
  }

  get canStop() {
    const { tile, victim } = stops(this);
    return tile !== null || victim !== null;
  }

  // Puts a tile in the centre, on top of a stack (a seat), or out of the game.
  put(tile, where) {
    this.centre = this.centre.filter((other) => other !== tile);
    this.turned = this.turned.filter((other) => other !== tile);
    this.stacks = this.stacks.map((stack) => stack.filter((other) => other !== tile));
    if (where === "centre") this.centre = [...this.centre, tile].sort();
    else if (where === "turned") this.turned = [...this.turned, tile].sort();
    else this.stacks[where].push(tile);
    if (!this.rolled.length && this.kept.length) this.rolling = !this.canStop;
  }

  placeOf(tile) {
    if (this.centre.includes(tile)) return "centre";
    const seat = this.stacks.findIndex((stack) => stack.includes(tile));
    return seat >= 0 ? seat : "turned";
  }

  players(count) {
    while (this.stacks.length < count) this.stacks.push([]);
    for (const tile of this.stacks.slice(count).flat()) this.put(tile, "centre");
    this.stacks = this.stacks.slice(0, count);
    if (this.mover >= count) this.newTurn(0);
  }

  // The position; dice that are pressed in in part count as still in the air.
  get text() {
    const dice = this.complete && !this.failed ? ` rolled ${this.rolled.join("")}` : this.rolling && this.left > 0 ? " rolling"
      : "";
    const stacks = this.stacks.map((tiles) => tiles.join(",") || "-").join(" / ");
    const tiles = `centre ${ranges(this.centre)} stacks ${stacks} turned ${ranges(this.turned)}`;
    return `p${this.mover + 1} kept ${this.kept.join("") || "-"}${dice} ${tiles}`;
  }
}
