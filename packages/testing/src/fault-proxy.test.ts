import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { createClock } from "@kit/clock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";

const clock = createClock();
let echo: Server;
let proxy: FaultProxy;

beforeEach(async () => {
  echo = createServer((socket) => socket.on("error", () => undefined).pipe(socket)).listen(0, "127.0.0.1");
  await once(echo, "listening");
  proxy = await startFaultProxy((echo.address() as { port: number }).port);
});

afterEach(async () => {
  await proxy.close();
  echo.close();
});

async function open() {
  const socket = connect(proxy.port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => undefined);
  const ask = async (text: string, withinMs: number) => {
    socket.write(text);
    const answer = once(socket, "data", { signal: clock.deadline(withinMs) });
    return answer.then(([data]) => String(data)).catch((error: unknown) => (error instanceof Error ? error.name : ""));
  };
  return { socket, ask };
}

it("forwards everything without a fault", async () => {
  const { ask } = await open();
  expect(await ask("salam", 1000)).toBe("salam");
});

it("delays each direction by the given time", async () => {
  const { ask } = await open();
  proxy.delay(100);
  const start = clock.monotonicMs();
  expect(await ask("slow", 2000)).toBe("slow");
  expect(clock.monotonicMs() - start).toBeGreaterThan(190);
});

it("stalls without closing and delivers after healing", async () => {
  const { socket, ask } = await open();
  proxy.stall();
  expect(await ask("held", 150)).toBe("AbortError");
  const late = once(socket, "data");
  proxy.heal();
  expect(String((await late)[0])).toBe("held");
});

it("resets open and new connections", async () => {
  const { socket } = await open();
  const reset = once(socket, "error");
  proxy.cut();
  expect((await reset)[0]).toMatchObject({ code: "ECONNRESET" });
  const refused = connect(proxy.port, "127.0.0.1");
  const [error] = await once(refused, "error");
  expect(error).toMatchObject({ code: "ECONNRESET" });
});
