// Dice Wars: territories with dice that attack their neighbours until one player owns the whole map.

import { attackBoard, attackWords } from "/static/boards/attacks/board.js";

export const how = [
  "Choose one of your territories with two dice or more, then an enemy territory beside it.",
  "Both sides roll all dice of their territory, and the sums are compared.",
  "If the attacker's sum is greater, all its dice but one move in. If not, one die stays; the defender keeps all.",
  "Attack as often as you like, or not at all, and end the turn. New dice come, as many as your largest region has " +
    "territories, and fall at random on your territories. What finds no room stays in reserve.",
  "Whoever owns the whole map wins.",
  "Who wins a battle is drawn by its exact chance; the dice that are shown are drawn to fit it.",
];

export const moveWords = attackWords;

const LETTERS = "ABCDEFGH";
const TEXT = /^map (\d+) p(\d) (.+) reserves (\S+) out \S+(?: attack (\S+))?(?: placing (\d+))?( over)? turn (\d+)$/;

// "map 7 p1 A3 B1 B8 A2 reserves 0,4 out - attack 3>4 turn 6"
export function parse(text) {
  const [, map, mover, lands, reserves, attack, placing, over, turn] = TEXT.exec(text);
  return {
    mover: mover - 1, fields: lands.split(" ").map((word) => ({ seat: LETTERS.indexOf(word[0]), dice: Number(word.slice(1)) })),
    phase: over ? "over" : attack ? "battle" : placing ? "place" : "choose", attack: attack ?? null, left: Number(placing ?? 0),
    reserves: reserves.split(",").map(Number), note: `${Number(map) ? `map ${map}, ` : ""}turn ${Number(turn) + 1}`,
  };
}

export const create = (facts) => attackBoard("dice-wars", rules(facts.parameters), facts);

const rules = ({ max_reserve }) => ({
  parse, letters: LETTERS, field: "territory", fields: "territories",
  gain: (now, region) => Math.min(max_reserve, region + now.reserves[now.mover]),
});
