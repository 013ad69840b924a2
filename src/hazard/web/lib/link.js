// A WebSocket that comes back by itself. On every opening it sends `hello()`; it passes every message on to `hear`.

export class Link {
  constructor(hello, hear, changed) {
    Object.assign(this, { hello, hear, changed, tries: 0, open: false, ended: false });
    this.connect();
    this.awake = () => this.hurry();
    addEventListener("online", this.awake);
    document.addEventListener("visibilitychange", this.awake);
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket.onopen = () => this.say(this.hello());
    this.socket.onmessage = (message) => {
      this.tries = 0;
      if (!this.open) this.turn(true);
      this.hear(JSON.parse(message.data));
    };
    this.socket.onclose = () => this.lost();
  }

  lost() {
    if (this.ended) return;
    this.turn(false);
    this.timer = setTimeout(() => this.connect(), Math.min(8000, 250 * 2 ** this.tries++));
  }

  // Try at once: the page is seen again, or the network is back.
  hurry() {
    if (this.ended || document.hidden || this.socket.readyState !== WebSocket.CLOSED) return;
    this.tries = 0;
    this.connect();
  }

  turn(open) {
    this.open = open;
    this.changed(open);
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    removeEventListener("online", this.awake);
    document.removeEventListener("visibilitychange", this.awake);
    this.socket.close();
  }
}
