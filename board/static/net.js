// The socket to the server. A lost one is opened again, and the server tells the whole game anew.
// The first one is open already, by socket.js, and may have brought something.

const LONG = 4; // attempts after which the program has probably been ended or started again
const PAUSES = [200, 500, 1000, 2000, 4000]; // milliseconds between attempts

export class Net {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.failures = 0;
    this.open(firstSocket.socket);
    for (const event of firstSocket.events) event.type === "close" ? this.lose(event) : this.receive(event);
    // A lid that opens again, or a network that is back: do not wait for the next attempt.
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

  // Whether the server gets the request.
  send(type, fields = {}) {
    const open = this.socket.readyState === WebSocket.OPEN;
    if (open) this.socket.send(JSON.stringify({ type, ...fields }));
    return open;
  }
}
