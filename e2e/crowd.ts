import { connect as connectPlain } from "node:net";
import { connect as connectTls } from "node:tls";
import { createClock } from "@kit/clock";
import { count } from "./counts.ts";
import type { StartedService } from "./services.ts";

// On a busy machine, 201 handshakes at once take longer than a service waits for one.
const CONNECTIONS = count({ ci: 51, full: 201 });
const clock = createClock();

/** Sends all requests at once, pipelined over many connections, and counts the answers by status. */
export async function askAtOnce(service: StartedService, path: string, requests: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const shares = Array.from({ length: CONNECTIONS }, (_, i) => Math.floor((requests + i) / CONNECTIONS));
  await Promise.all(shares.map((share) => askPipelined(service, path, share, counts)));
  return counts;
}

function askPipelined({ url, port }: StartedService, path: string, share: number, counts: Map<number, number>) {
  return new Promise<void>((resolve, reject) => {
    const options = { port, host: "127.0.0.1", rejectUnauthorized: false };
    const socket = url.startsWith("https:") ? connectTls(options) : connectPlain(options);
    clock.deadline(60_000).addEventListener("abort", () => reject(new Error("not all were answered within a minute")));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(share));
    let rest = "";
    let answered = 0;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      rest += text;
      const statuses = [...rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
      for (const [, status] of statuses) counts.set(Number(status), (counts.get(Number(status)) ?? 0) + 1);
      answered += statuses.length;
      // Keep a tail that may hold the beginning of the next status line.
      rest = statuses.length > 0 ? rest.slice((statuses.at(-1)?.index ?? 0) + 12) : rest.slice(-20);
      if (answered >= share) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () =>
      answered === share ? resolve() : reject(new Error(`${answered} of ${share} were answered`)),
    );
  });
}
