import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { createClock } from "@kit/clock";
import type { StartedService } from "./services.ts";

const clock = createClock();

export type Slowness = "sends nothing" | "sends one header a second" | "never finishes its body";

/** The seconds until the service closes the connection of a slow client; fails after a minute. */
export async function secondsUntilClosed(service: StartedService, slowness: Slowness): Promise<number> {
  const start = clock.monotonicMs();
  const socket = await open(service, slowness);
  const closed = once(socket, "close", { signal: clock.deadline(60_000) });
  socket.on("error", () => undefined);
  socket.resume();
  if (slowness === "sends one header a second") void drip(socket);
  if (slowness === "never finishes its body")
    socket.write("POST /api/v1/auth/token HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{");
  await closed;
  return (clock.monotonicMs() - start) / 1000;
}

async function open({ url, port }: StartedService, slowness: Slowness): Promise<Socket> {
  // A client that sends nothing does not even begin the TLS handshake.
  if (!url.startsWith("https:") || slowness === "sends nothing") return connectPlain(port, "127.0.0.1");
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  return socket;
}

async function drip(socket: Socket): Promise<void> {
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n");
  for (let i = 0; !socket.destroyed && i < 60; i += 1) {
    await clock.sleep(1000);
    if (!socket.destroyed) socket.write(`x-${i}: drip\r\n`);
  }
}
