import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import { START_MS, startOwnerBench } from "../../testing/owner-bench.ts";

const isFull = process.env.PROVE === "full";
const REQUESTS = isFull ? 10_000 : 1000;
/** How long it lasts: a whole day with `npm run prove`, so that no time of day opens pairing. */
const LASTS_MS = isFull ? 24 * 60 * 60_000 : 10 * 60_000;
const PERIODS = 10;
const { player } = JSON.parse(readFileSync(new URL("../../../../docs/api/routes.json", import.meta.url), "utf8"));
const EXTENSIONS = ["GET /api/pairing none", "GET /api/openapi.json none", "GET /ca.crt none", "GET / none"];
const LISTED: { method: string; path: string }[] = [...player, ...EXTENSIONS].map((line: string) => {
  const [method = "", path = ""] = line.split(" ");
  return { method, path: path.replace(/\{\w+\}/, "1") };
});
/** Bodies that a client without the token may send to pair. The first one is the right code of the weak device. */
const BODIES: readonly string[] = [
  '{"code":"000000"}',
  '{"code":["000000"]}',
  '{"code":null}',
  '{"code":"000000","by":"hand"}',
  '{"token":true}',
  '"000000"',
  "[]",
  "{",
  "",
];
const MESSAGES = [
  '{"type":"pairing"}',
  '{"type":"token","token":""}',
  '{"type":"code","code":"000000"}',
  "0".repeat(900),
];

let bench: Awaited<ReturnType<typeof startOwnerBench>>;
afterEach(() => bench.close());

it(
  "never serves the token of a new device on which no person has acted",
  async () => {
    bench = await startOwnerBench({ hasWeakCode: true });
    const token = await bench.storedToken();
    const { app } = bench;
    await app.listen({ host: "127.0.0.1", port: 0 });
    const seen: string[] = [];
    const send = async (method: string, url: string, payload: string, client: number) => {
      const { statusCode, headers, body } = await app.inject({
        method: method as "GET" | "POST" | "DELETE",
        url,
        remoteAddress: `10.0.${Math.floor(client / 250) % 250}.${(client % 250) + 1}`,
        headers: { "content-type": "application/json", "x-forwarded-for": "127.0.0.1" },
        ...(method !== "GET" && { payload }),
      });
      if (`${JSON.stringify(headers)}${body}`.includes(token)) seen.push(`${method} ${url} ${payload}: ${body}`);
      return statusCode;
    };

    const { port } = app.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
    const frames: string[] = [];
    socket.on("message", (message) => frames.push((message as Buffer).toString("utf8")));
    await once(socket, "message");
    for (const message of MESSAGES) socket.send(message);

    const statuses = new Map<number, number>();
    for (let count = 0; count < REQUESTS; count += 1) {
      const { method, path } = LISTED[count % LISTED.length] ?? { method: "GET", path: "/" };
      const body = BODIES[count % BODIES.length] ?? "";
      if (count % 2 === 0) await send(method, path, body, count);
      else {
        const code = String((count - 1) / 2).padStart(6, "0");
        const status = await send("POST", "/api/pairing", count % 20 === 19 ? body : JSON.stringify({ code }), count);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      if (count % (REQUESTS / PERIODS) === 0) await bench.clock.advance(LASTS_MS / PERIODS);
    }
    socket.close();
    expect(seen).toEqual([]);
    expect([...statuses]).toEqual([[400, REQUESTS / 2]]);
    expect(frames.filter((frame) => frame.includes(token))).toEqual([]);
    expect(bench.printed.filter((line) => line.startsWith("Pairing"))).toEqual([]);
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false, expires_in_s: null });
  },
  START_MS * 4,
);
