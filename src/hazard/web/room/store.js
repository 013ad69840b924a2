// A room as this browser knows it: all events, the line of the game as it stands, and what may be said to the server.
// It changes by what the server says alone. "change" is dispatched with detail.why: "snapshot", "event", "ask",
// "presence", "link", "analysis", "refused", "closed", "dice".

import { Link } from "../lib/link.js";
import { Parts } from "../lib/parts.js";
import { Thrown } from "./thrown.js";

const AGAIN = 20; // times that a request to take back is sent again
const STOPS = new Set(["begun", "moved", "rolled", "took_back"]);

export class RoomStore extends EventTarget {
  constructor(room, token, gameModule) {
    super();
    Object.assign(this, { room, token, gameModule, events: [], stops: [], seats: [], seat: null, status: "waiting" });
    Object.assign(this, { game: null, parameters: {}, mover: null, ask: 0, moves: [], ended: null, proposal: null });
    Object.assign(this, { connected: false, mayAnalyse: true, commitment: "", found: new Map(), refused: null, closed: null });
    this.pending = null; // the move that has been said and not yet acknowledged; it is said again after a break
    this.tries = 0; // how often a request to take back is sent again, if the game has gone on meanwhile
    this.later = null; // a request to take back that waits until the dice have landed
    this.parts = new Parts(room);
    this.thrown = new Thrown(this.parts);
    this.backs = new Map(); // by seat, how often it took back
    this.wanted = null; // the event whose position is being analysed
    this.link = new Link(() => this.enter(), (message) => this.hear(message), (open) => this.linked(open));
  }

  get seq() {
    return this.events.length;
  }

  // The last stop of the game: {seq, position, event}, and what the position is: mover, rolling, over, legal moves.
  get live() {
    return this.stops.at(-1) ?? null;
  }

  enter() {
    return { type: "enter", room: this.room, token: this.token, since: this.seq };
  }

  tell(why, detail = {}) {
    this.dispatchEvent(new CustomEvent("change", { detail: { why, ...detail } }));
  }

  linked(open) {
    this.connected = open;
    this.tell("link");
  }

  // --- what the server says ---------------------------------------------------------------------------------------
  hear(message) {
    const known = {
      snapshot: "snapshot", ask: "asked", ack: "acknowledged", presence: "presence", analysis: "analysed", error: "refuse",
      throw: "askedForPart",
    };
    if (known[message.type]) this[known[message.type]](message);
    else if (message.seq) this.happened(message);
  }

  snapshot(found) {
    const now = found.seats.map((seat) => ({ ...seat }));
    for (const key of ["game", "parameters", "status", "seat", "seats"]) this[key] = found[key];
    this.commitment ||= found.commitment; // the one seen first is what the dice are checked against
    this.mayAnalyse = found.analysis;
    this.foreign = found.tournament ? "tournament" : "";
    this.unsigned = found.source === "upload";
    for (const event of found.events) this.take(event);
    this.seats = now; // who is there now, and not who was when the seat was taken
    this.moves = found.moves;
    this.mover = found.mover;
    this.ask = found.ask;
    this.tell("snapshot");
    if (this.pending) this.link.say(this.pending);
    if (this.wanted !== null) this.link.say({ type: "analyse", seq: this.wanted });
  }

  happened(event) {
    if (this.take(event)) this.tell("event", { event });
  }

  // Events are numbered without a gap; one that is known already changes nothing.
  take(event) {
    if (event.seq !== this.seq + 1) return false;
    this.events.push(event);
    this.thrown.follow(event, this.seat);
    if (event.type === "sat") this.sat(event);
    if (event.type === "proposed") this.proposal = event;
    else if (event.type !== "answered" || !event.yes) this.proposal = null;
    if (event.type === "took_back") this.backs.set(event.seat, (this.backs.get(event.seat) ?? 0) + 1);
    if (event.type === "begun") this.oldForm = event.throw === undefined;
    if (event.type === "took_back") this.stops = this.stops.filter((stop) => stop.seq <= event.to);
    if (["proposed", "took_back"].includes(event.type)) this.tries = 0; // the request has arrived
    if (STOPS.has(event.type)) this.arrive(event);
    if (event.type === "ended") Object.assign(this, { ended: event, status: "over", mover: null, moves: [], mayAnalyse: true });
    return true;
  }

  sat({ seat, kind, name }) {
    this.seats[seat] = { ...this.seats[seat], kind, name, present: true };
  }

  arrive(event) {
    this.status = "playing";
    this.ask = event.seq;
    this.moves = [];
    this.mover = null;
    const { seq, position, mover, rolling, over, moves, scored } = event;
    this.stops.push({ seq, position, mover, rolling, over, moves, scored, event });
    if (rolling || this.later === null) return;
    this.back(this.later);
    this.later = null;
  }

  asked(question) {
    Object.assign(this, { mover: question.seat, ask: question.ask, moves: question.moves });
    this.tell("ask");
  }

  // The server asks for this browser's part in a throw. It is told only for dice that are in the air, or a board that is
  // to be dealt when all seats are taken, and once.
  askedForPart({ throw: number, at }) {
    const due = at === this.seq && (this.live ? this.live.rolling : this.seats.every(({ kind }) => kind !== "open"));
    const part = due ? this.parts.tell(number, `${at} ${this.live?.position ?? ""}`) : null;
    if (part) return this.link.say(part);
    const lost = "this browser has lost the secret of its part in the dice; the game cannot go on without it";
    this.thrown.doubt(this.parts.secret ? "this browser was asked for its part where it must not tell it" : lost, { throw: number });
    this.tell("dice");
  }

  acknowledged() {
    this.pending = null;
  }

  presence({ seat, present }) {
    this.seats[seat] = { ...this.seats[seat], present };
    this.tell("presence");
  }

  analysed({ seq, position, found }) {
    this.found.set(position, found);
    this.tell("analysis", { seq, position, found });
  }

  // A refused move may be made otherwise; other refusals leave it alone, unless they do not say what they refuse.
  refuse({ code, text, ask }) {
    if (code === "stale" && !this.pending && this.tries > 0) return this.back(0, this.tries - 1);
    this.tries = 0;
    if (ask === this.pending?.ask || ["rate", "internal"].includes(code)) this.pending = null;
    this.refused = { code, text };
    if (code === "room" || (code === "token" && !this.game)) {
      this.closed = { code, text };
      this.link.close();
      return this.tell("closed");
    }
    this.tell("refused", { code, text });
  }

  // --- what may be said -------------------------------------------------------------------------------------------
  // Whether it is for this browser to move.
  get mine() {
    return this.seat !== null && this.mover === this.seat && this.moves.length > 0 && !this.pending;
  }

  play(move) {
    if (!this.mine) return;
    this.tries = 0;
    this.pending = { type: "move", ask: this.ask, move };
    this.link.say(this.pending);
  }

  // To the own last decision, or to an event. While others move, the server may be ahead of what is known here.
  back(to = 0, tries = AGAIN) {
    this.tries = to ? 0 : tries;
    if (this.live?.rolling) this.later = to;
    else this.link.say({ type: "back", at: this.ask, to });
  }

  agree(yes) {
    if (this.proposal) this.link.say({ type: "agree", proposal: this.proposal.seq, yes });
  }

  resign() {
    this.link.say({ type: "resign" });
  }

  // Ask for analysis of the position after an event; answers come as "analysis" and get better until `still`.
  analyse(seq) {
    if (this.wanted === seq) return;
    this.wanted = seq;
    this.link.say({ type: "analyse", seq });
  }

  still() {
    if (this.wanted === null) return;
    this.wanted = null;
    this.link.say({ type: "still" });
  }

  close() {
    this.link.close();
  }
}
