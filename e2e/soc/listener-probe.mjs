// Listeners in a process of their own, which does nothing else: thousands of others in the process of a test would make
// it wait for that process. They connect last, so each delivery reaches them last.
// node listener-probe.mjs <port> <cookie>…: prints "open" and, when its input ends, how many milliseconds each event took
// from its commit, as JSON.
import { connect } from "node:net";

const [port, ...cookies] = process.argv.slice(2);
const waits = [];
const MADE_AT = /"at":"([^"]+)"/g;

function open(cookie) {
  return new Promise((resolve) => {
    let rest = "";
    const socket = connect({ port: Number(port), host: "127.0.0.1" });
    socket.write(`GET /api/v1/events?types=alert,user HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`);
    socket.on("data", (chunk) => {
      const now = Date.now();
      rest += chunk.toString("latin1");
      const end = rest.lastIndexOf("\n\n") + 2;
      if (end < 2) return;
      for (const [, at] of rest.slice(0, end).matchAll(MADE_AT)) waits.push(now - Date.parse(at));
      rest = rest.slice(end);
      resolve();
    });
  });
}

for (const cookie of cookies) await open(cookie);
console.log("open");
process.stdin.resume();
process.stdin.on("end", () => {
  process.stdout.write(`${JSON.stringify(waits)}\n`, () => process.exit(0));
});
