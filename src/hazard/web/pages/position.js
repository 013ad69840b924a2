// A single position, as links share it: the board, what can be done, what it is worth, and playing on from it.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { boardOf, games, opponents } from "../lib/games.js";
import { notice } from "../lib/notices.js";
import { openFirst } from "../lib/rooms.js";
import { go } from "../lib/route.js";
import { capital, titleOf } from "../lib/seats.js";
import { setting } from "../lib/settings.js";
import { label } from "../room/board.js";
import { howTo } from "../room/how.js";
import { listen } from "../room/keys.js";
import { positionAddress } from "../room/share.js";
import { isShared, moveWords, sayParameters } from "../room/words.js";
import { PositionPanel } from "../room/analysis/position-panel.js";
import { trouble } from "./missing.js";

export async function page({ query, main, title }) {
  title("A position");
  const all = await games(), request = requestOf(query, all);
  if (!all[request.game]) return void main.append(trouble(Object.assign(new Error(unknown(request.game, all)), { code: "input" })));
  let found;
  try {
    found = await post("/api/positions", request);
  } catch (problem) {
    const play = h("a", { class: "button", href: `/?game=${request.game}` }, `Play ${all[request.game].title}`);
    return void main.append(trouble(problem, "This position cannot be shown", play));
  }
  const module = await boardOf(found.game);
  const { board: land } = await post("/api/boards", { game: found.game, parameters: found.parameters, position: found.position });
  title(`${all[found.game].title}: a position`);
  return new PositionView(all[found.game], found, module, land).fill(main);
}

function unknown(name, all) {
  const what = name ? `There is no game "${name}".` : "The link does not say which game it is about.";
  return `${what} There are ${Object.keys(all).join(", ")}.`;
}

// A link is `?game=G&position=TEXT&PARAMETER=VALUE...`.
function requestOf(query, all) {
  const { game = "", position = "", ...others } = Object.fromEntries(query);
  const whole = (name) => typeof all[game]?.parameters.find((one) => one.name === name)?.default === "number";
  const value = (name, text) => (whole(name) && /^-?\d{1,9}$/.test(text) ? Number(text) : text);
  const parameters = Object.entries(others).map(([name, text]) => [name, value(name, text)]);
  return { game, position, parameters: Object.fromEntries(parameters) };
}

class PositionView {
  constructor(game, found, module, land) {
    Object.assign(this, { game, found, module });
    const seats = found.seats.map((name) => ({ title: name, name: "", kind: "person" }));
    this.board = module.create({ game: found.game, parameters: found.parameters, seats, land });
    this.place = h("div", { class: "board-place" }, this.board.element);
    this.analysis = found.over ? null : new PositionPanel(found, module, () => this.draw());
  }

  fill(main) {
    const { game, found } = this;
    const fresh = h("a", { class: "button primary", href: `/?game=${found.game}` }, "A new game");
    const play = h("button", { class: "primary big", onclick: () => this.play() }, "Play from here");
    main.append(h("div", { class: `room lone game-${found.game}` },
      h("div", { class: "room-head" }, h("h1", {}, `${game.title}: a position`),
        h("p", { class: "quiet room-sub" }, sayParameters(found.parameters, game))),
      h("div", { class: "room-main" },
        h("p", { class: "status-words" }, this.turnWords()),
        h("div", { class: "panel board-panel" }, this.place),
        h("div", { class: "row" }, found.over ? fresh : play)),
      h("aside", { class: "room-side" }, this.analysis?.element ?? "", this.facts(), howTo(this.module.how ?? game.summary))));
    this.draw();
    const unlisten = listen(this.board.element);
    return () => { unlisten(); this.analysis?.close(); };
  }

  facts() {
    const { moves, position } = this.found, names = Object.keys(moves);
    const link = (move) => h("a", { href: this.addressAfter(move) }, moveWords({ gameModule: this.module }, move));
    const links = names.map((move) => h("li", {}, link(move)));
    return h("section", { class: "panel" },
      names.length ? [h("h2", {}, "Where moves lead"), h("ul", { class: "position-moves" }, links)] : "",
      h("h2", {}, "The position as text"), h("code", { class: "position-text" }, position));
  }

  turnWords() {
    const { over, rolling, mover, seats } = this.found;
    if (over) return `The game is over. ${this.result()}.`;
    if (rolling) return "The dice are in the air.";
    return `${capital(titleOf(seats[mover]))} is to move. Choose a move to see where it leads.`;
  }

  result() {
    const { payoffs, seats } = this.found, most = Math.max(...payoffs);
    const first = seats.filter((_, seat) => payoffs[seat] === most).map((title) => titleOf(title));
    if (!isShared(payoffs)) return seats.map((title, seat) => `${capital(titleOf(title))} gets ${payoffs[seat]}`).join(", ");
    return first.length === 1 ? `${capital(first[0])} wins` : `A tie between ${first.join(" and ")}`;
  }

  draw() {
    const { found } = this;
    const view = {
      position: found.position, event: null, before: null,
      moves: Object.keys(found.moves), choose: (move) => go(this.addressAfter(move)),
      values: this.analysis?.values ?? null, duration: 0, seat: null, payoffs: found.payoffs,
      mover: found.over || found.rolling ? null : found.mover, rolling: found.rolling, over: found.over,
      legal: Object.keys(found.moves),
    };
    label(this.place, view);
    this.board.show(view);
  }

  addressAfter(move) {
    const { game, parameters, moves } = this.found;
    return positionAddress(game, parameters, this.game, moves[move]);
  }

  // A room that starts here, with you in the place of who is to move.
  async play() {
    const { game, parameters, position, mover, seats } = this.found, mine = mover ?? 0;
    const others = (agent) => seats.map((_, seat) => (seat === mine ? {} : { agent }));
    const room = (agent) => ({ game, parameters, start: position, seats: others(agent) });
    const sit = { seat: mine, name: setting("name") };
    const requests = opponents(this.game).map((agent) => ({ room: room(agent), sit }));
    try {
      await openFirst("/api/rooms", requests);
    } catch (problem) {
      notice(problem.message, "bad");
    }
  }
}
