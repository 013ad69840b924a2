// What is read at the cursor of a map of Great Rolled Ones: when to hold, and what both moves are worth by pot.

import { h } from "/static/lib/dom.js";
import { address } from "/static/lib/route.js";
import { chance, costs } from "/static/explore/common.js";
import { aside } from "./policy.js";
import { potChart } from "./pots.js";

const BEYOND = 12; // pots past the goal that are shown for player 1, who may roll on there
const FEWEST = 8; // pots that are shown at least

// `now` is {seat, ones, own, other, pot}, pot 0 for the first one that is held; `picked(pot)` hears of another.
export function readingOf(policy, now, picked) {
  const title = h("h2", { "aria-live": "polite" }), rule = h("p", { class: "x-rule" }),
    exact = h("div", { "aria-live": "polite" });
  const chart = potChart(picked), link = h("a", { class: "x-open" }, "Open this position on the board");
  let wanted = 0;

  async function show() {
    const { seat, ones, own, other } = now, mine = ++wanted;
    title.textContent = `Own ${own}, other's ${other}`;
    rule.textContent = `Player ${seat + 1}, ${aside(ones)}: ${told(policy, now)}. ` +
      `At the start of the turn the chance to win is ${chance(policy.start(seat, own, other))}.`;
    const worth = await policy.worth(seat, ones, own, other).catch((problem) => problem);
    if (mine !== wanted) return;
    if (worth instanceof Error) exact.replaceChildren(h("p", { class: "x-problem" }, worth.message));
    else showPot(worth);
  }

  function showPot(worth) {
    const { seat, ones, own, other } = now, made = (pot) => policy.made(seat, ones, pot);
    const last = Math.min(worth.length - 1, Math.max(policy.goal - own + (seat === 0 ? BEYOND : 0), FEWEST));
    const pot = Math.min(now.pot || firstHeld(policy, now), last);
    chart.show({ worth, made, rolls: (k) => policy.rolls(seat, ones, own, other, k), pot, last });
    exact.replaceChildren(...values(worth[pot], pot, made(pot), ones));
    const position = policy.text(seat, ones, own, other, pot);
    link.href = address("/position", { game: "great-rolled-ones", ...policy.query, position });
    link.hidden = worth[pot].every(Number.isNaN);
  }

  const element = h("section", { class: "panel x-reading", "aria-label": "at the cursor" }, title, rule, exact, chart.element,
    link);
  return { element, show };
}

// The first pot that dice make and that is held.
function firstHeld(policy, { seat, ones, own, other }) {
  const hold = policy.hold(seat, ones, own, other);
  for (let pot = hold; pot < policy.seats[seat].pots; pot++) if (policy.made(seat, ones, pot)) return pot;
  return hold;
}

// The policy of a cell in words.
export function told(policy, { seat, ones, own, other }) {
  const hold = policy.hold(seat, ones, own, other);
  const again = policy.runs(seat, ones, own, other).filter((run) => run.rolls && run.low > hold);
  const spans = again.map(({ low, high }) => (low === high ? `${low}` : `${low} to ${high}`)).join(", ");
  return `hold at ${hold} or more${spans ? `, but roll again with ${spans}` : ""}`;
}

function values([roll, hold], pot, made, ones) {
  const only = Number.isNaN(roll) ? "Enough: there is nothing left to gain by rolling." : Number.isNaN(hold)
    ? "Only rolling is possible." : "";
  const row = (name, value, other) => {
    const best = !Number.isNaN(value) && !(value < other);
    return h("div", { class: `x-move ${best ? "best" : ""}` }, h("span", {}, name),
      h("strong", {}, Number.isNaN(value) ? "not possible" : chance(value, 3)),
      h("span", { class: "x-why" }, only ? "" : best ? "best" : `costs ${costs(other - value, 3)}`));
  };
  const unmade = made ? "" : h("span", { class: "quiet" }, ` (no dice make just that with ${aside(ones)})`);
  return [h("p", { class: "x-at" }, `With ${pot} in the pot`, unmade), row("roll", roll, hold), row("hold", hold, roll),
    only ? h("p", { class: "quiet" }, only) : ""];
}
