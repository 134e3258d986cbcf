import { EventEmitter, once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { createClock } from "@kit/clock";

/** A TCP proxy in front of a real server that misbehaves on demand. */
export interface FaultProxy {
  port: number;
  /** Delays every chunk, both ways. */
  delay(ms: number): void;
  /** Keeps connections open and accepts new ones, but passes nothing on. */
  stall(): void;
  /** Resets what is open and refuses what comes. */
  cut(): void;
  /** Back to normal. What was held back is passed on. */
  heal(): void;
  close(): Promise<void>;
}

type Fault = { kind: "none" } | { kind: "delay"; ms: number } | { kind: "stall" } | { kind: "cut" };

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const clock = createClock();
  const sockets = new Set<Socket>();
  let fault: Fault = { kind: "none" };
  const held = new EventEmitter();

  async function pass(from: Socket, to: Socket): Promise<void> {
    const chunks: AsyncIterable<Buffer> = from;
    for await (const chunk of chunks) {
      if (fault.kind === "delay") await clock.sleep(fault.ms);
      while (fault.kind === "stall") await once(held, "heal");
      to.write(chunk);
    }
    to.end();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (fault.kind === "cut") {
      client.resetAndDestroy();
      return;
    }
    const target = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
    for (const [socket, other] of [[client, target] as const, [target, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => sockets.delete(socket));
      pass(socket, other).catch(() => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();

  function become(next: Fault): void {
    fault = next;
    if (next.kind === "cut") for (const socket of sockets) socket.resetAndDestroy();
    if (next.kind !== "stall") held.emit("heal");
  }

  return {
    port: address !== null && typeof address === "object" ? address.port : 0,
    delay: (ms) => become({ kind: "delay", ms }),
    stall: () => become({ kind: "stall" }),
    cut: () => become({ kind: "cut" }),
    heal: () => become({ kind: "none" }),
    async close() {
      become({ kind: "cut" });
      server.close();
      await once(server, "close");
    },
  };
}
