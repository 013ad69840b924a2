// Koole's problem: with some armies at stake and more to spare, how many dice should the defender roll?

import { h } from "/static/lib/dom.js";
import { answerKey, answerTable } from "./answers.js";
import { refill } from "/static/explore/common.js";

const WORDS = {
  problem: "Both sides have armies enough, and the fight goes on until some number of them is lost, on either side. How many " +
    "of these can the defender make the attacker lose?",
  settled: "From 13 armies on the answers never change: two dice if and only if the second die is 1, 2 or 3. That is Koole's " +
    "rule of 1994. With 6, 8, 10 and 12 at stake, two dice are best against 4-4 too; move the slider to see it flip.",
};

export function stakes(war) {
  const words = h("p", { "aria-live": "polite" }), table = h("div", {}), rolls = war.rolls[2].map(({ faces }) => faces);
  const most = war.stakes.length;
  const range = h("input", { type: "range", min: 1, max: most, value: 12, "aria-label": "armies at stake",
    oninput: () => draw() });
  let picked = rolls.findIndex((faces) => faces.join() === "4,4");
  const pick = (roll) => { picked = roll; draw(); };

  function draw() {
    const n = Number(range.value), { loss, best } = war.stakes[n - 1], before = n > 1 ? war.stakes[n - 2].loss : 0;
    words.textContent = `${n} ${n === 1 ? "army" : "armies"} at stake: the attacker loses ${loss.toFixed(6)} of them at most; ` +
      `the last one adds ${(loss - before).toFixed(6)}.`;
    const label = `best answers with ${n} armies at stake`;
    refill(table, answerTable({ rolls, answers: (roll) => best[roll], picked, pick, label }));
  }

  draw();
  return h("section", { class: "panel x-reading x-fourth" }, h("h2", {}, "With armies to spare: Koole's problem"),
    h("p", {}, WORDS.problem),
    range, words, h("div", { class: "x-answerside" }, table, h("div", {}, h("p", {}, WORDS.settled), answerKey())));
}
