// The socket to the server. After a lost connection it is opened again, and the server sends the whole game.
// socket.js has already opened the first one, which may have received messages.

const LONG = 4; // attempts after which the program has probably ended or restarted
const PAUSES = [200, 500, 1000, 2000, 4000]; // milliseconds between attempts

export class Net {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.failures = 0;
    this.open(firstSocket.socket);
    for (const event of firstSocket.events) event.type === "close" ? this.lose(event) : this.receive(event);
    // After a wake-up, or when the network is back, do not wait for the next attempt.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  open(socket = openSocket()) {
    this.socket = socket;
    socket.onopen = () => { this.failures = 0; this.onState("open"); };
    socket.onmessage = (event) => this.receive(event);
    socket.onclose = (event) => this.lose(event);
  }

  receive(event) { this.onMessage(JSON.parse(event.data)); }

  lose(event) {
    if (event.code === 4401 || event.code === 4403) { this.onState("refused"); return; }
    this.onState(this.failures < LONG ? "lost" : "gone");
    this.timer = setTimeout(() => this.open(), PAUSES[Math.min(this.failures++, PAUSES.length - 1)]);
  }

  hurry() {
    if (this.socket.readyState !== WebSocket.CLOSED || document.hidden) return;
    clearTimeout(this.timer);
    this.open();
  }

  // Returns whether the request can be sent.
  send(type, fields = {}) {
    const open = this.socket.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify({ type, ...fields }));
    return open;
  }
}
