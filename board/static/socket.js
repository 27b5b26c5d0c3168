// Opens the first socket. This is not a module: it runs before the page's modules are loaded. Messages that arrive
// before then wait in `firstSocket.events`.

function openSocket() {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  return new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
}

const firstSocket = { socket: openSocket(), events: [] };
firstSocket.socket.onmessage = firstSocket.socket.onclose = (event) => firstSocket.events.push(event);
