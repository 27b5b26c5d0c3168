// Opens the first socket. This is no module: it runs before the page's modules are there, and what the socket brings
// meanwhile waits in `firstSocket.events`.

function openSocket() {
  const token = new URLSearchParams(location.search).get("token") ?? "";
  return new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
}

const firstSocket = { socket: openSocket(), events: [] };
firstSocket.socket.onmessage = firstSocket.socket.onclose = (event) => firstSocket.events.push(event);
