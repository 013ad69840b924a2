// What has been found out about the positions of a game, kept by position: analyses that the room's link brings, those
// asked for over HTTP, and the review of the whole game. "change" is dispatched with detail.what: "analysis" (and the
// position), "review" or "problem". A room has one, which all its parts share.

import { get, post } from "../../lib/api.js";
import { sleep } from "../../lib/dom.js";

const PASSING = { busy: 300, rate: 1500, offline: 4000 }; // refusals that pass, and milliseconds until one asks again
const ROUNDS = 4; // requests for one review
const NOTHING = { known: "exact", games: 0, final: true, steps: [], turns: [], seats: [] }; // of a game without a move

const shared = new WeakMap();
export function knowledgeOf(store) {
  if (!shared.has(store)) shared.set(store, new Knowledge(store));
  return shared.get(store);
}

class Knowledge extends EventTarget {
  constructor(store) {
    super();
    Object.assign(this, { store, known: new Map(), asked: new Map(), review: null, line: new Map(), problem: null });
    store.addEventListener("change", ({ detail }) => detail.why === "analysis" && this.tell("analysis", detail.position));
  }

  tell(what, position = null) {
    this.dispatchEvent(new CustomEvent("change", { detail: { what, position } }));
  }

  at(position) {
    return this.store.found.get(position) ?? null;
  }

  keep(position, found) {
    const old = this.at(position);
    if (!old || found.known !== old.known || found.games > old.games) this.store.found.set(position, found);
    this.tell("analysis", position);
    return this.at(position);
  }

  // --- asking ---------------------------------------------------------------------------------------------------------
  // Who is busy, or gone for a moment, is asked again, as long as somebody wants to know.
  async patiently(ask, wanted, tries = 8) {
    for (;;) {
      await this.linked();
      try {
        return await ask();
      } catch (problem) {
        tries -= 1;
        if (!wanted() || !(problem.code in PASSING) || tries <= 0) throw problem;
        await sleep(PASSING[problem.code]);
      }
    }
  }

  // While the room's link is down the server is gone, most likely: wait for it to come back.
  linked() {
    const { store } = this;
    if (store.connected) return null;
    return new Promise((done) => {
      const heard = () => store.connected && (store.removeEventListener("change", heard), done());
      store.addEventListener("change", heard);
    });
  }

  // One question at a time about the same thing: whoever asks meanwhile waits for the same answer.
  once(key, ask, wanted = () => true) {
    if (!this.asked.has(key)) this.asked.set(key, this.patiently(ask, wanted).finally(() => this.asked.delete(key)));
    return this.asked.get(key);
  }

  // The position after an event of the room.
  async askStop({ seq, position }, games) {
    const old = this.at(position);
    if (old && (old.final || old.games >= games)) return old;
    const path = `/api/rooms/${this.store.room}/analysis?seq=${seq}&games=${games}`;
    return this.keep(position, await this.once(`${position} ${games}`, () => get(path)));
  }

  // Any position of the same game.
  async askPosition(position, games, wanted) {
    const old = this.at(position), { game, parameters } = this.store;
    if (old && (old.final || old.games >= games)) return old;
    const ask = () => post("/api/analysis", { game, parameters, position, games });
    return this.keep(position, await this.once(`${position} ${games}`, ask, wanted));
  }

  // What a position is by the rules: its moves with where each leads, whether dice are in the air, whether it is over.
  async factsOf(position) {
    const { game, parameters } = this.store;
    const ask = () => post("/api/positions", { game, parameters, position });
    if (!this.known.has(position)) this.known.set(position, await this.once(`facts ${position}`, ask));
    return this.known.get(position);
  }

  // --- the whole game -------------------------------------------------------------------------------------------------
  async askReview(games) {
    if (this.played.length < 2) return NOTHING;
    if (this.reviewed && (this.review.final || this.review.games >= games)) return this.review;
    try {
      this.problem = null;
      return await this.once(`review ${games}`, () => this.requestReview(games));
    } catch (problem) {
      this.problem = problem;
      this.tell("problem");
      return null;
    }
  }

  // A long game takes longer than a request waits: what has come by then is shown, and the request is made again.
  async requestReview(games) {
    const began = performance.now();
    for (let round = 0; round < ROUNDS; round += 1) {
      this.takeReview(await get(`/api/rooms/${this.store.room}/review?games=${games}`));
      if (this.review.final || this.review.games >= games) break;
    }
    this.took = performance.now() - began;
    return this.review;
  }

  // A step of the review is a move or a roll that was not taken back, and so are the stops beside those that took back.
  get played() {
    return this.store.stops.filter(({ event }) => event.type !== "took_back");
  }

  // What was played meanwhile may differ from what was reviewed: only what is the same is taken.
  takeReview(found) {
    const stops = this.played, said = ({ event }) => event.move ?? event.dice;
    const same = found.steps.findIndex((step, number) => !stops[number + 1] || said(stops[number + 1]) !== step.text);
    const steps = same < 0 ? found.steps : found.steps.slice(0, same);
    const keep = (stop, chances) => this.line.set(stop.position, { chances, games: found.games });
    keep(stops[0], found.start);
    steps.forEach((step, number) => keep(stops[number + 1], step.chances));
    this.review = { ...found, whole: same < 0, stops };
    this.tell("review");
  }

  // The chances at a stop as far as they are known, from whatever rests on more games.
  chancesAt(position) {
    const found = this.at(position), reviewed = this.line.get(position);
    const better = found && (!reviewed || found.known !== "rollout" || found.games >= reviewed.games);
    return better ? found.chances : (reviewed?.chances ?? null);
  }

  // Whether the review tells of the game as it stands.
  get reviewed() {
    return Boolean(this.review?.whole) && this.review.steps.length === this.played.length - 1;
  }
}
