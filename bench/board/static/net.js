// The socket to the server. A lost one is opened again, and the server tells the whole game anew.

const PAUSES = [200, 500, 1000, 2000, 4000]; // milliseconds between attempts

export class Net {
  constructor(onMessage, onState) {
    this.onMessage = onMessage;
    this.onState = onState;
    this.failures = 0;
    this.token = new URLSearchParams(location.search).get("token") ?? "";
    this.open();
    // A lid that opens again, or a network that is back: do not wait for the next attempt.
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  open() {
    const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(this.token)}`);
    this.socket = socket;
    socket.onopen = () => { this.failures = 0; this.onState("open"); };
    socket.onmessage = (event) => this.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (event.code === 4401 || event.code === 4403) { this.onState("refused"); return; }
      this.onState("lost");
      this.timer = setTimeout(() => this.open(), PAUSES[Math.min(this.failures++, PAUSES.length - 1)]);
    };
  }

  hurry() {
    if (this.socket.readyState !== WebSocket.CLOSED || document.hidden) return;
    clearTimeout(this.timer);
    this.open();
  }

  send(type, fields = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type, ...fields }));
  }
}
