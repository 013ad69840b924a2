// Great Rolled Ones: scores of all players, the turn's points, the ones set aside, and the dice.

import { h } from "/static/lib/dom.js";
import { single } from "/static/lib/dice.js";
import { styled } from "/static/lib/styles.js";
import { total, tracks } from "/static/boards/points.js";
import {
  caption, choices, count, dice, endedEarly, facesOf, flying, many, resting, table, who, winners, wins,
} from "/static/boards/table.js";

await styled("/static/games/great-rolled-ones/board.css");

export const how = [
  "On your turn, roll the dice. Ones are set aside, every other die is a point. Roll the rest again as often as you like.",
  "Hold, and the turn's points are yours. But with three ones aside, unless the game was set up with another number, " +
    "the turn is over and its points are lost.",
  "Whoever ends a turn at the goal starts the last round: each player still to come in it has one more turn, " +
    "and must exceed the leader.",
];

const diceWords = (number) => count(number, "die", "dice");

// "p1 32:41 k7 o1 rolling": points are by seat, k the turn's points, o the ones aside.
export function parse(text) {
  const [, mover, scores, pot, ones, rolling] = /^p(\d+) ([\d:]+) k(\d+) o(\d+)( rolling)?$/.exec(text);
  const points = scores.split(":").map(Number);
  return { mover: mover - 1, scores: points, pot: Number(pot), ones: Number(ones), rolling: Boolean(rolling) };
}

export function create({ parameters, seats }) {
  const { goal, bust, sides } = parameters, all = parameters.dice;
  const komi = String(parameters.komi).split(",").map(Number);
  const leaderOf = (now) => now.scores.findIndex((points) => points >= goal);

  function scene(view) {
    const now = parse(view.position), roll = rolledOf(view), leader = leaderOf(now);
    return [
      tracks({ seats, view, ...now, goal, notes: seats.map((_, seat) => note(view, seat, leader)) }),
      h("div", { class: "felt" }, total("this turn", now.pot), aside(roll?.lost ? bust : now.ones), shown(now, roll)),
      caption(view.payoffs ? ended(view, now, leader) : words(view, now, roll, leader)),
      choices(view, [
        { move: "roll", key: "r", label: "Roll", detail: danger(now) },
        { move: "hold", key: "h", label: "Hold", detail: `score ${now.pot}: ${now.scores[now.mover] + now.pot}` },
      ]),
    ];
  }

  const note = (view, seat, leader) =>
    seat === leader && !view.payoffs ? "leads" : komi[seat] ? `started with ${komi[seat]}` : "";

  // What the last roll showed. Of one that ends the turn just the ones that were needed for that are known.
  function rolledOf({ event, before }) {
    if (event?.type !== "rolled") return null;
    const had = before ? parse(before).ones : 0, lost = event.dice === "bust";
    const ones = lost ? bust - had : parseInt(event.dice, 10);
    return { ones, others: all - had - ones, lost };
  }

  // A roll is recorded as its number of ones, so the other dice show what they count and not a face.
  function shown(now, roll) {
    const free = all - now.ones;
    if (now.rolling) return dice(flying(free), `${diceWords(free)} in the air`);
    if (!roll) return dice(resting(free), `${diceWords(free)} to roll`);
    const rest = () => (roll.lost ? single("", "faded") : single("+1", "gain"));
    const label = roll.lost ? "too many ones" : `${count(roll.ones, "one")}, ${count(roll.others, "point")}`;
    return dice([...many(roll.ones, () => single(1, "loss")), ...many(roll.others, rest)], label);
  }

  function aside(filled) {
    const slot = (_, i) =>
      h("span", { class: `slot ${i < filled ? "filled" : ""} ${i === bust - 1 ? "last" : ""}` }, i < filled && single(1));
    const label = filled === bust ? `${count(bust, "one")}: bust` : `${filled} of ${count(bust, "one")} aside`;
    return h("div", { class: "total" }, h("span", { class: "total-name", "aria-hidden": "true" }, label),
      h("div", { class: "slots", role: "img", "aria-label": label }, many(bust, slot)));
  }

  function danger(now) {
    const free = all - now.ones;
    const safe = many(bust - now.ones, (_, ones) => exactly(free, ones, 1 / sides)).reduce((sum, chance) => sum + chance, 0);
    return `${diceWords(free)}: bust ${(100 * (1 - safe)).toFixed(safe > 0.9 ? 1 : 0)} %`;
  }

  // --- words ----------------------------------------------------------------------------------------------------------
  function words(view, now, roll, leader) {
    const last = leader < 0 ? "" : ` Last round: ${now.scores[leader] + 1} or more to win.`;
    return happened(view, now, roll) + last;
  }

  function happened(view, now, roll) {
    const { event, before } = view, name = event && who(seats, view, event.seat), had = before ? parse(before).pot : 0;
    if (event?.type === "moved" && event.move === "hold") return `${name} held and scored ${count(had, "point")}.`;
    if (roll?.lost) return `${name} rolled too many ones${had ? ` and lost ${count(had, "point")}` : ""}.`;
    if (roll) return `${name} rolled ${onesWords(roll.ones)}: ${count(roll.others, "point")} more.`;
    return now.rolling ? "The dice are in the air." : `${count(goal, "point")} start the last round.`;
  }

  function ended(view, now, leader) {
    if (leader < 0 || now.mover !== 0) return endedEarly(seats, view);
    const [winner] = winners(view);
    return `${wins(seats, view, winner)} with ${count(now.scores[winner], "point")}.`;
  }

  return table("great-rolled-ones", facesOf(sides), scene);
}

const onesWords = (ones) => (ones === 0 ? "no ones" : ones === 1 ? "a one" : `${ones} ones`);

// The binomial chance of exactly that many successes.
function exactly(tries, successes, chance) {
  let ways = 1;
  for (let i = 0; i < successes; i++) ways = (ways * (tries - i)) / (i + 1);
  return ways * chance ** successes * (1 - chance) ** (tries - successes);
}
