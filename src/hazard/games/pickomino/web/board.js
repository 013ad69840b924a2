// Pickomino: the tiles of the centre, everybody's stack, the dice kept and the dice rolled.

import { h } from "/static/lib/dom.js";
import { single } from "/static/lib/dice.js";
import {
  caption, choices, count, dice, endedEarly, flying, isBest, many, nameOf, plate, resting, table, who, whom, wins, worth,
} from "/static/boards/table.js";
import { styled } from "/static/lib/styles.js";
import { emptyPicture, pile, tilePicture, wormSum } from "./tiles.js";
import {
  LOWEST, MARKS, diceWords, faceOf, groupWords, groups, lostWords, marksOf, parse, pointsOf, stops, sumOf, wormsIn, wormsOf,
} from "./turn.js";

await styled("/static/games/pickomino/board.css");

export const how = [
  "Roll all dice, then keep all dice of one face that you have not kept before in this turn, and roll the rest. A worm counts 5.",
  "With a worm among your dice you may stop. Take the tile of your sum, or the highest below it, from the centre; " +
    "or steal the tile of just your sum from the top of another's stack.",
  "If a roll shows nothing new to keep, or the dice run out without a tile, the turn fails: " +
    "your top tile goes back, and the highest tile of the centre is turned down.",
  "When the centre is empty, most worms on tiles win.",
];

export const moveWords = (move) => move.replace(/^keep w$/, "keep worms");

const row = ({ mark, number }, kind) => h("span", { class: "dice-row" }, many(number, () => single(faceOf(mark), kind)));

export function create({ parameters, seats }) {
  const all = parameters.dice, tiles = many(parameters.tiles, (_, i) => LOWEST + i);

  function scene(view) {
    const now = parse(view.position), failed = failedOf(view, now), laid = failed && view.before ? parse(view.before) : now;
    return [
      grill(view, now),
      now.centre.length > 0 && h("div", { class: "felt" }, keptPart(laid), reach(view, laid), rolledPart(view, now, failed)),
      caption(view.payoffs ? ended(view, now) : words(view, now, failed)),
      h("ol", { class: "stacks", "aria-label": "stacks" }, now.stacks.map((_, seat) => stackOf(view, now, seat))),
    ];
  }

  // The dice of a roll that showed nothing new, and ended the turn.
  const failedOf = ({ event }, now) => (event?.type === "rolled" && !now.rolled.length ? marksOf(event.dice) : null);

  // --- tiles ----------------------------------------------------------------------------------------------------------
  function grill(view, now) {
    const owner = new Map(now.stacks.flatMap((stack, seat) => stack.map((tile) => [tile, seat]))), reached = stops(now).tile;
    const place = (tile) => {
      if (now.turned.includes(tile)) return gone(tile, "turned", "✕", `${tile} is turned down`);
      if (!owner.has(tile)) return free(view, tile, tile === reached);
      const seat = owner.get(tile);
      return gone(tile, `seat-${seat}`, seat + 1, `${nameOf(seats, seat)} has ${tile}`);
    };
    const turned = now.turned.length ? `; turned down: ${now.turned.join(", ")}` : "";
    const label = `in the centre: ${now.centre.join(", ") || "nothing"}${turned}`;
    const columns = { "--columns": String(Math.min(8, tiles.length)) };
    return h("div", { class: "grill", role: "img", "aria-label": label, style: columns }, tiles.map(place));
  }

  const gone = (tile, kind, mark, title) => h("span", { class: `tile-place ${kind}`, title }, emptyPicture(tile, mark));

  // The tile that stopping takes can be pressed itself; the button is for keyboards and screen readers.
  function free(view, tile, reached) {
    const move = `take ${tile}`, open = reached && view.moves.includes(move);
    const press = open ? { onclick: () => view.choose(move) } : {};
    return h("span", { class: `tile-place ${reached ? "reached" : ""} ${open ? "open" : ""}`, ...press },
      tilePicture(tile), reached && h("span", { class: "flag" }, "stop"));
  }

  function stackOf(view, now, seat) {
    const stack = now.stacks[seat], active = seat === now.mover && !view.payoffs, robbed = stops(now).victim === seat;
    return h("li", { class: `stack seat-${seat} ${active ? "active" : ""} ${robbed ? "reached" : ""}` }, plate(seats, view, seat),
      h("div", { class: "stack-row" }, pileOf(view, stack, seat),
        h("div", { class: "stack-words" }, wormSum(stack),
          active && h("span", { class: "to-move" }, "to move"), robbed && h("span", { class: "flag" }, "steal"))));
  }

  function pileOf({ event }, stack, seat) {
    const label = stack.length ? `${stack.join(", ")}; on top ${stack.at(-1)}` : "no tile";
    const fresh = event?.type === "moved" && event.seat === seat && /^(take|steal)/.test(event.move);
    const shown = stack.length ? pile(stack, fresh) : h("span", { class: "nothing" }, "no tile");
    return h("div", { class: "pile", role: "img", "aria-label": label }, shown);
  }

  // --- dice -----------------------------------------------------------------------------------------------------------
  function keptPart(now) {
    const points = (each) => h("span", { class: "group-words" }, String(each.number * pointsOf(each.mark)));
    const group = (each) => h("div", { class: "group" }, row(each, "held"), points(each));
    const label = now.kept.length ? `kept: ${diceWords(now.kept)}` : "nothing kept";
    const shown = now.kept.length ? groups(now.kept).map(group) : h("span", { class: "quiet" }, "nothing yet");
    return h("div", { class: "dice-part" }, h("span", { class: "total-name", "aria-hidden": "true" }, "kept"),
      h("div", { class: "groups", role: "img", "aria-label": label }, shown));
  }

  // What the dice add up to, and what stopping would bring.
  function reach(view, now) {
    const { sum, tile, victim } = stops(now), worm = now.kept.includes("w");
    const gains = [victim !== null && `steals ${sum} from ${whom(seats, view, victim)}`, tile && `takes ${tile}`].filter(Boolean);
    const told = gains.length ? `stopping ${gains.join(" or ")}` : now.kept.length ? lacking(now, worm) : "";
    return h("div", { class: "reach" }, h("b", { class: "total-number" }, String(sumOf(now.kept))),
      h("div", {}, h("span", { class: `has-worm ${worm ? "yes" : ""}` }, worm ? "✓ with a worm" : "no worm yet"),
        h("span", { class: "reach-words" }, told)));
  }

  function lacking(now, worm) {
    const tops = now.stacks.flatMap((stack, seat) => (seat === now.mover ? [] : stack.slice(-1)));
    const least = Math.min(...now.centre, ...tops), short = least - sumOf(now.kept);
    if (short > 0) return `${short} short of the lowest tile, ${least}`;
    return worm ? "no tile for that sum" : "a worm is needed to stop";
  }

  // The dice rolled, or where there are none the choice to stop or to roll on.
  function rolledPart(view, now, failed) {
    const marks = failed ?? now.rolled;
    if (!marks.length && view.moves.length) return h("div", { class: "dice-part" }, choices(view, ways(view, now)));
    const title = failed ? "rolled: nothing new" : marks.length ? "rolled" : "to roll";
    const faces = groups(marks).map((each) => face(view, now, each, failed));
    return h("div", { class: "dice-part" }, h("span", { class: "total-name" }, title),
      faces.length ? h("div", { class: "groups", role: "group", "aria-label": "dice rolled" }, faces) : notRolled(now));
  }

  function notRolled(now) {
    const left = all - now.kept.length, number = count(left, "die", "dice");
    return now.rolling ? dice(flying(left), `${number} in the air`) : dice(resting(left), `${number} to roll`);
  }

  function ways(view, now) {
    const { sum, tile, victim } = stops(now), alone = victim === null, worms = (number) => count(wormsOf(number), "worm");
    const from = alone ? "" : `${worms(sum)} from ${whom(seats, view, victim)}`;
    const left = `with ${count(all - now.kept.length, "die", "dice")}`;
    return [
      { move: `steal ${sum} from p${victim + 1}`, key: "s", label: `Steal ${sum}`, detail: from },
      { move: `take ${tile}`, key: alone ? "s" : "c", label: `Take ${tile}`, detail: `stop for ${worms(tile)}` },
      { move: "roll", key: "r", label: "Roll on", detail: left },
    ];
  }

  // All dice of a face that were rolled; pressing keeps them.
  function face(view, now, each, failed) {
    const move = `keep ${each.mark.repeat(each.number)}`, barred = failed || now.kept.includes(each.mark);
    if (view.moves.includes(move)) return openFace(view, each, move);
    const note = barred ? "kept before" : `+${each.number * pointsOf(each.mark)}`;
    return h("div", { class: "group face", role: "img", "aria-label": `${groupWords(each)}, ${note}` },
      row(each, barred ? "faded" : "landed"), h("span", { class: "group-words" }, note));
  }

  function openFace(view, each, move) {
    const { mark, number } = each, points = number * pointsOf(mark), value = worth(view, move);
    const label = `keep ${groupWords(each)}, ${count(points, "point")}${value ? `, ${value.textContent}` : ""}`;
    const press = { "data-move": move, "data-key": mark, "aria-keyshortcuts": mark, onclick: () => view.choose(move) };
    const kind = `group face open ${isBest(view, move) ? "best" : ""}`;
    return h("button", { class: kind, type: "button", "aria-label": label, ...press }, row(each, "landed"),
      h("span", { class: "group-words" }, `+${points}`, h("kbd", { "aria-hidden": "true" }, mark)), value);
  }

  // --- words ----------------------------------------------------------------------------------------------------------
  function words(view, now, failed) {
    const { event, before } = view, was = before ? parse(before) : now, name = event && who(seats, view, event.seat);
    if (failed) return `${name} rolled nothing new. ${lostWords(was, now)}`;
    if (event?.type === "rolled") return `${name} rolled ${diceWords(now.rolled)}.`;
    if (event?.type === "moved" && event.move !== "roll") return moved(event.move, was, now, name);
    return now.rolling ? "The dice are in the air." : now.rolled.length ? "Which face to keep?" : "Stop, or roll on?";
  }

  function moved(move, was, now, name) {
    const [verb, what] = move.split(" ");
    if (verb !== "keep") return `${name} ${verb === "take" ? "took" : "stole"} tile ${what}.`;
    const kept = `${name} kept ${diceWords(marksOf(what))}.`;
    return now.kept.length ? kept : `${kept} No tile to be had with that. ${lostWords(was, now)}`;
  }

  function ended(view, now) {
    const held = now.stacks.map(wormsIn), winner = view.payoffs.indexOf(1);
    if (now.centre.length) return endedEarly(seats, view);
    if (winner < 0) return "Nobody has a tile: the win is shared.";
    const level = held.filter((worms) => worms === held[winner]).length > 1;
    return `${wins(seats, view, winner)} with ${count(held[winner], "worm")}${level ? " and the highest tile" : ""}.`;
  }

  return table("pickomino", MARKS.map(faceOf), scene);
}
