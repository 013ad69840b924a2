// Battles of Risk as the server gives them: what the attacker can expect by several defences, and the best answers.

import { doubles, wholes } from "/static/explore/common.js";

export const AIMS = { hold: "the territory", difference: "armies left, attacker's less defender's",
  losses: "the attacker's armies left" };

export class BattleTables {
  constructor(found) {
    Object.assign(this, { armies: found.armies, objective: found.objective, rolls: found.rolls, stakes: found.stakes,
      error: found.error });
    this.tables = Object.fromEntries(Object.entries(found.values).map(([name, text]) => [name, doubles(text)]));
    this.best = wholes(found.best);
    this.width = found.armies + 1;
    this.most = this.best.length / this.width ** 2; // rolls that there is room for
  }

  value(defence, a, d) {
    return this.tables[defence][a * this.width + d];
  }

  // The attacker's rolls as far as they are compared: {faces, chance, lost}.
  attacks(a) {
    return this.rolls[Math.min(a - 1, 3) - 1];
  }

  // The best numbers of dice against a roll: 1, 2, or 3 if both are equally good.
  answer(a, d, roll) {
    return this.best[(a * this.width + d) * this.most + roll];
  }

  // What the attacker can expect once the defender has chosen a number of dice, both playing on as well as they can.
  after(a, d, roll, dice) {
    const ways = this.attacks(a)[roll].lost[dice - 1], pairs = ways.length - 1, every = 6 ** dice;
    return ways.reduce((sum, n, lost) => sum + (n / every) * this.value("dutch", a - lost, d - pairs + lost), 0);
  }

  // The number of dice that Koole's rule says against a roll.
  koole({ faces }, d) {
    return faces.length < 2 || faces[1] <= 3 ? Math.min(2, d) : 1;
  }

  // The rolls against which Koole's rule is not best.
  departures(a, d) {
    return this.attacks(a).filter((roll, n) => !(this.answer(a, d, n) & this.koole(roll, d)));
  }
}
