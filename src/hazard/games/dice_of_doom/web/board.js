// Dice of Doom: hexagons with dice that attack their neighbours.

import { attackBoard, attackWords } from "/static/boards/attacks/board.js";
import { styled } from "/static/lib/styles.js";

await styled("/static/games/dice-of-doom/seats.css");

export const how = [
  "Choose one of your tiles with two dice or more, then an enemy tile beside it.",
  "Both sides roll all dice of their tile, and the sums are compared.",
  "If the attacker's sum is greater, all its dice but one move in. If not, one die stays, and the others are gone.",
  "You have to attack at least once in a turn. Then end it whenever you like, and new dice come: " +
    "as many as your largest region has tiles, unless the game was set up otherwise.",
  "Whoever cannot attack at the start of a turn ends the game, and whoever owns the most tiles wins.",
  "Who wins a battle is drawn by its exact chance; the dice that are shown are drawn to fit it.",
];

export const moveWords = attackWords;

const LETTERS = "RBGY";
const PHASES = [[/ to move, over/, "over"], [/ attacks /, "battle"], [/ places /, "place"], [/./, "choose"]];
const number = (pattern, text) => Number(pattern.exec(text)?.[1] ?? 0);

// "3x3 r2 b1 r5 / b3 b1 r1 / r2 r2 b4 | r to move, first attack"; "-" stands for more hexagons of a tile.
export function parse(text) {
  const [rows, doing] = text.split(" | "), seatOf = (letter) => LETTERS.indexOf(letter.toUpperCase());
  const words = rows.split(" ").slice(1).filter((word) => /^[a-z]\d+$/.test(word));
  const captured = number(/captured (\d+)/, doing), turn = number(/turn (\d+)/, doing) || 1;
  return {
    mover: seatOf(doing[0]), fields: words.map((word) => ({ seat: seatOf(word[0]), dice: Number(word.slice(1)) })),
    phase: PHASES.find(([pattern]) => pattern.test(doing))[1], first: doing.includes("first attack"),
    attack: /attacks (\S+-[a-z]\d+)/.exec(doing)?.[1] ?? null, left: number(/places (\d+)/, doing), captured, reserves: null,
    note: [`turn ${turn}`, captured ? `captured in it: ${captured}` : ""].filter(Boolean).join(", "),
  };
}

export const create = (facts) => attackBoard("dice-of-doom", rules(facts.parameters), facts);

const rules = ({ reinforcement }) => ({
  parse, letters: LETTERS, field: "tile", fields: "tiles",
  gain: (now, region) => (reinforcement === "captured" ? Math.max(0, now.captured - 1) : region),
});
