// The board of a room: made when the game begins, drawn whenever something else is to be seen.

import { post } from "../lib/api.js";
import { h } from "../lib/dom.js";

// What is shown, for whoever reads the page.
export function label(element, { position, moves }) {
  Object.assign(element.dataset, { position, moves: JSON.stringify(moves) });
}

export class BoardPart {
  constructor(context) {
    Object.assign(this, { context, board: null, making: null, held: null });
    this.element = h("div", { class: "board-place" }, h("p", { class: "board-wait quiet" }, "The board is being laid out ..."));
    context.cursor.addEventListener("move", ({ detail }) => this.draw(detail.step));
    context.presenter.addEventListener("change", () => this.draw());
    context.store.addEventListener("change", ({ detail }) => ["ask", "refused", "snapshot"].includes(detail.why) && this.draw());
  }

  async make(position) {
    const { store, module } = this.context, { game, parameters, seats } = store;
    const { board: land } = await post("/api/boards", { game, parameters, position });
    const named = seats.map(({ title, name, kind }, seat) => ({ title, kind, name: seat === store.seat ? name || "You" : name }));
    this.board = module.create({ game, parameters, seats: named, land });
    this.element.replaceChildren(this.board.element);
    this.draw();
  }

  draw(step = false) {
    const { cursor, presenter } = this.context;
    if (!cursor.stop || (presenter.busy && !step)) return;
    if (!this.board) {
      this.making ??= this.make(cursor.stop.position).catch((problem) => this.fail(problem));
      return;
    }
    this.remember();
    const view = this.view(step);
    label(this.element, view);
    const drawn = Promise.resolve(this.board.show(view)).then(() => this.restore());
    presenter.drawn = drawn.catch((problem) => this.fail(problem));
    this.restore();
  }

  fail(problem) {
    console.error(problem);
    this.making = null;
    this.element.replaceChildren(h("p", { class: "problem", role: "alert" }, `The board cannot be drawn: ${problem.message}`));
  }

  view(step) {
    const { cursor, store, presenter } = this.context, { position, event, mover, rolling, over: done, moves, scored } = cursor.stop;
    const over = store.ended && cursor.caughtUp;
    return {
      position, event, before: cursor.before?.position ?? null,
      moves: this.mayMove() ? store.moves : [],
      choose: (move) => this.choose(move),
      values: this.context.values(position),
      duration: step ? presenter.time(cursor.stop) : 0,
      seat: store.seat, payoffs: over ? store.ended.payoffs : null,
      mover: over || rolling ? null : mover, rolling, over: done, legal: moves, scored,
    };
  }

  mayMove() {
    const { cursor, store, presenter } = this.context;
    return store.mine && cursor.live && cursor.caughtUp && !presenter.busy;
  }

  choose(move) {
    if (!this.mayMove()) return;
    this.context.store.play(move);
    this.draw();
  }

  // Boards draw again what can be pressed; the focus stays with the same move, or comes back to it.
  remember() {
    const active = document.activeElement;
    if (!this.element.contains(active)) return;
    this.held = active.dataset.move ?? active.getAttribute("aria-label") ?? this.held;
  }

  restore() {
    if (this.held === null || (document.activeElement !== document.body && document.activeElement)) return;
    const name = CSS.escape(this.held);
    this.element.querySelector(`[data-move="${name}"], [aria-label="${name}"]`)?.focus({ preventScroll: true });
  }
}
