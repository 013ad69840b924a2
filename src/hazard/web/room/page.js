// The page of a room: the board and all around it. Each part has an element, and `update` for when something changed.

import { get } from "../lib/api.js";
import { h } from "../lib/dom.js";
import { boardOf, games, opponents } from "../lib/games.js";
import { notice } from "../lib/notices.js";
import { openFirst } from "../lib/rooms.js";
import { address, rename } from "../lib/route.js";
import { forgetRoom, keepRoom, keepToken, setting, tokenOf } from "../lib/settings.js";
import { trouble } from "../pages/missing.js";
import { ActionsPart } from "./actions.js";
import { BoardPart } from "./board.js";
import { Cursor } from "./cursor.js";
import { DicePart } from "./dice.js";
import { EndingPart } from "./ending.js";
import { HintPart } from "./hint.js";
import { JoinPart } from "./join.js";
import { howTo } from "./how.js";
import { help, listen, through } from "./keys.js";
import { Presenter } from "./presenter.js";
import { ProposalPart } from "./proposal.js";
import { SeatsPart } from "./seats.js";
import { StatusPart } from "./status.js";
import { RoomStore } from "./store.js";
import { AnalysisPart } from "./analysis/switch.js";
import { TimelinePart } from "./timeline.js";
import { sayParameters } from "./words.js";

export async function page({ path, query, main, title }) {
  const room = decodeURIComponent(path.split("/")[2]);
  const snapshot = await look(room);
  const [all, module] = await Promise.all([games(), boardOf(snapshot.game)]);
  const game = all[snapshot.game];
  title(game.title);
  let shown = null;
  // Once a seat is taken the room is entered again, by its token.
  const enter = () => {
    shown?.close();
    shown = new RoomView({ room, snapshot, name: snapshot.game, game, module, query, title, enter });
    main.replaceChildren(shown.element);
  };
  enter();
  return () => shown.close();
}

async function look(room) {
  try {
    return await get(`/api/rooms/${encodeURIComponent(room)}?since=1000000000`);
  } catch (problem) {
    if (problem.code === "room") forgetRoom(room);
    throw problem;
  }
}

// Where a game of a tournament comes from, with the way back.
const source = ({ tournament, tournament_game: number }) =>
  (tournament
    ? h("span", {}, "Game ", number, " of the tournament ",
      h("a", { href: `/tournaments/${encodeURIComponent(tournament)}` }, tournament))
    : "");

const NOT_SIGNED = "From a file that this server has not signed: nobody vouches for the names in it.";

// The way back from a game that was branched off.
function origin(query) {
  const [from, seq] = [query.get("from"), query.get("seq")];
  if (!/^[\w-]+$/.test(from ?? "") || !/^\d+$/.test(seq ?? "")) return "";
  return h("a", { href: `/rooms/${from}?at=${seq}` }, "Back to the game it branched off from");
}

class RoomView {
  constructor({ room, snapshot, name, game, module, query, title, enter }) {
    const store = new RoomStore(room, tokenOf(room), module), cursor = new Cursor(store);
    const presenter = new Presenter(store, cursor);
    Object.assign(this, { store, cursor, presenter, snapshot, name, game, query, title, enter });
    const values = (position) => this.analysis.values(position);
    const actions = { values, branch: (seq) => this.branch(seq), again: () => this.newGame() };
    const context = { store, cursor, presenter, game, module, ...actions };
    this.analysis = new AnalysisPart(context, () => this.analysed());
    this.board = new BoardPart(context);
    context.hint = new HintPart(context);
    this.parts = {
      hint: context.hint, seats: new SeatsPart(context), status: new StatusPart(context), join: new JoinPart(context, enter),
      proposal: new ProposalPart(context), ending: new EndingPart(context), actions: new ActionsPart(context),
      timeline: new TimelinePart(context), analysis: this.analysis, dice: new DicePart(context),
    };
    this.element = this.layout(module.how ?? game.summary);
    this.unlisten = listen(this.element, through(cursor, this.element));
    store.addEventListener("change", ({ detail }) => this.changed(detail));
    cursor.addEventListener("move", () => this.update());
    presenter.addEventListener("change", () => this.update());
  }

  layout(how) {
    const { hint, seats, status, join, proposal, ending, actions, timeline, analysis, dice } = this.parts;
    this.sub = h("p", { class: "quiet room-sub" });
    const keys = h("button", { class: "plain room-keys", onclick: () => help(this.element) }, "Keys ", h("kbd", {}, "?"));
    return h("div", { class: `room game-${this.name}` },
      h("div", { class: "room-head" }, h("h1", {}, this.game.title), this.sub, origin(this.query), keys),
      h("div", { class: "room-main" }, seats.element, join.element, proposal.element, status.element,
        h("div", { class: "panel board-panel" }, this.board.element), hint.words, ending.element, actions.element,
        dice.element, ending.after),
      timeline.element, analysis.element, howTo(how));
  }

  update() {
    this.element.classList.toggle("not-begun", !this.store.live);
    this.title(`${this.board.mayMove() ? "Your turn: " : ""}${this.game.title}`);
    for (const part of Object.values(this.parts)) part.update();
  }

  analysed() {
    this.element.classList.toggle("analysing", Boolean(this.analysis.analysis));
    this.board.draw();
  }

  changed({ why, text }) {
    if (why === "closed") return this.shut();
    if (why === "refused" && !/analysis/.test(text)) notice(text, "bad"); // the analysis says so itself
    if (why === "snapshot") this.arrived();
    if (why === "snapshot" || this.store.ended) this.keep();
    return this.update();
  }

  // On entering: the place that the address names, and what is said of the game.
  arrived() {
    const { store, cursor, query } = this;
    this.sub.replaceChildren(sayParameters(store.parameters, this.game), " ", source(this.snapshot), store.unsigned ? NOT_SIGNED : "");
    const at = Number(query.get("at"));
    if (at && store.live) cursor.goToSeq(at);
    query.delete("at");
    if (at) rename(address(location.pathname, Object.fromEntries(query)));
  }

  keep() {
    const { store } = this;
    if (store.seat === null) return;
    const others = store.seats.filter((_, seat) => seat !== store.seat);
    const names = others.map(({ name, kind, title }) => name || (kind === "open" ? "somebody" : title));
    keepRoom({ room: store.room, game: store.game, names, over: Boolean(store.ended) });
  }

  // The room is gone, or the remembered token is not valid in it: watch without one.
  shut() {
    const { closed, room } = this.store;
    if (closed.code === "token") {
      keepToken(room, "");
      return this.enter();
    }
    forgetRoom(room);
    return this.element.replaceChildren(trouble(Object.assign(new Error(closed.text), { code: "room" })));
  }

  // --- other games --------------------------------------------------------------------------------------------------
  // Agents stay; a person is replaced by an agent, if one is named, else the seat is open to who has the link.
  seatsFor(mine, substitute) {
    const agentOf = ({ kind, name }) => (kind === "agent" && this.game.agents[name] ? name : substitute);
    const other = (seat) => (agentOf(seat) ? { agent: agentOf(seat) } : {});
    return this.store.seats.map((seat, number) => (number === mine ? {} : other(seat)));
  }

  // "What if": a new game from the position after an event, with you in the place of who is to move there.
  async branch(seq) {
    const { store } = this, stop = store.stops.findLast((one) => one.seq <= seq);
    const mine = stop.mover ?? store.seat ?? 0;
    const room = (agent) => ({ game: store.game, seats: this.seatsFor(mine, agent) });
    const request = (agent) => ({ seq: stop.seq, room: room(agent), sit: { seat: mine, name: setting("name") } });
    const requests = opponents(this.game).map(request);
    await this.open(`/api/rooms/${store.room}/branch`, requests, { from: store.room, seq: stop.seq });
  }

  async newGame() {
    const { game, parameters, seat } = this.store;
    const sit = seat === null ? null : { seat, name: setting("name") };
    const others = seat === null ? opponents(this.game) : [null];
    const request = (agent) => ({ room: { game, parameters, seats: this.seatsFor(seat, agent) }, sit });
    await this.open("/api/rooms", others.map(request));
  }

  async open(place, requests, query) {
    try {
      await openFirst(place, requests, query);
    } catch (problem) {
      notice(problem.message, "bad");
    }
  }

  close() {
    this.unlisten();
    this.presenter.close();
    for (const part of Object.values(this.parts)) part.close?.();
    this.store.close();
  }
}
