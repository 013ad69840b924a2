// A small board of Dice of Doom as somebody sets it up: who owns each tile, its dice, whose turn it is.

import { parse } from "./board.js";

export const LETTERS = "rb", NAMES = ["red", "blue"];
const below = (n) => Math.floor(Math.random() * n);
const large = (name) => name[0].toUpperCase() + name.slice(1);

export class BoardSetup {
  // `text` is any position of the board, `land` what the server says of its tiles and ways.
  constructor(text, land, most) {
    Object.assign(this, { land, most, names: land.fields.map((field) => field.name) });
    this.shape = text.split(" | ")[0].replace(/\b[a-z]\d+\b/g, "?");
    this.read(text);
  }

  read(text) {
    const { fields, mover } = parse(text);
    Object.assign(this, { fields, mover, first: !text.includes("again") });
  }

  get text() {
    let n = 0;
    const rows = this.shape.replaceAll("?", () => `${LETTERS[this.fields[n].seat]}${this.fields[n++].dice}`);
    return `${rows} | ${LETTERS[this.mover]} to move, ${this.doing}`;
  }

  get doing() {
    if (!this.first) return "attack again or end";
    return this.tiles(this.mover) && !this.attacks ? "over" : "first attack";
  }

  at(name) {
    return this.fields[this.names.indexOf(name)];
  }

  // One die more; after the most, the other player with one die: so all there is comes round.
  cycle(name) {
    const field = this.at(name);
    if (field.dice < this.most) field.dice += 1;
    else Object.assign(field, { dice: 1, seat: 1 - field.seat });
  }

  // Any position with as many tiles for both, and a choice.
  shuffle() {
    do {
      const order = this.fields.map((_, n) => [Math.random(), n]).sort(([a], [b]) => a - b).map(([, n]) => n);
      this.fields = order.map((place) => ({ seat: place % 2, dice: 1 + below(this.most) }));
      this.mover = below(2);
    } while (this.attacks < 2);
    this.first = true;
  }

  // How many the mover has.
  get attacks() {
    const open = (way) => {
      const [from, to] = way.split("-").map((name) => this.at(name));
      return from.seat === this.mover && to.seat !== this.mover && from.dice > 1;
    };
    return Object.keys(this.land.ways).filter(open).length;
  }

  tiles(seat) {
    return this.fields.filter((field) => field.seat === seat).length;
  }

  // Whether a game can come to it.
  get possible() {
    return this.tiles(this.mover) > 0 && (this.first || this.attacks > 0);
  }

  // Why nothing can be asked about it; empty if it can.
  get obstacle() {
    const name = NAMES[this.mover], other = NAMES[1 - this.mover];
    if (!this.tiles(this.mover)) return `The turn is ${name}'s, but ${name} has no tile. Give it one, or let ${other} move.`;
    if (this.attacks) return "";
    if (!this.first) return `${large(name)} has no attack left, so the turn has ended by itself.`;
    return `${large(name)} cannot attack at the start of a turn, so the game is over: ${this.result}.`;
  }

  get result() {
    const [red, blue] = [this.tiles(0), this.tiles(1)], who = red === blue ? "a tie" : `${red > blue ? "red" : "blue"} wins`;
    return `${who}, ${Math.max(red, blue)} tiles to ${Math.min(red, blue)}`;
  }
}
