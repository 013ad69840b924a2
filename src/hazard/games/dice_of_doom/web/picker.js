// The small boards of Dice of Doom to choose from, and the command that solves one.

import { h } from "/static/lib/dom.js";
import { address, go } from "/static/lib/route.js";
import { field } from "/static/explore/common.js";

const BOARDS = { "2x2": 4, "2x3": 6, "triangle:3": 6, "2x4": 8, "3x3": 9 }; // with their tiles
const TITLES = { "triangle:3": "triangle of 6" };
const WAYS = { deterministic: "in reading order", random: "at random", weighted: "at random, by dice" };
const DICE = [2, 3, 4, 5];
const QUICK = 2_000_000; // boards that are solved while somebody waits
const quick = (tiles, dice) => (2 * dice) ** tiles <= QUICK;
// The most dice up to some number with which a board is solved at once.
const fitting = (tiles, dice) => DICE.toReversed().find((n) => n <= dice && quick(tiles, n)) ?? DICE[0];

export function boardPicker(parameters, tiles) {
  const { board, max_dice: dice, reinforcement } = parameters;
  const to = (more) => go(address("/explore/dice-of-doom", { board, max_dice: dice, reinforcement, ...more }));
  const list = (label, options, now, changed) => {
    const select = h("select", { onchange: () => changed(select.value) },
      options.map(([value, name]) => h("option", { value, selected: value === now }, name)));
    return field(label, select);
  };
  const names = [...new Set([...Object.keys(BOARDS), board])].map((name) => [name, TITLES[name] ?? name.replace("x", " x ")]);
  const many = [...new Set([...DICE, dice])].map((n) => [n, `up to ${n}${quick(tiles, n) ? "" : " (large)"}`]);
  return h("div", { class: "x-form" },
    list("board", names, board, (name) => to({ board: name, max_dice: fitting(BOARDS[name] ?? tiles, dice) })),
    list("dice a tile", many, dice, (n) => to({ max_dice: n })),
    list("new dice come", Object.entries(WAYS), reinforcement, (way) => to({ reinforcement: way })));
}

export function commandFor({ board, max_dice: dice, reinforcement }) {
  const more = reinforcement === "deterministic" ? "" : ` -p reinforcement=${reinforcement}`;
  return `hazard solve dice-of-doom -p board=${board} -p max_dice=${dice}${more}`;
}
