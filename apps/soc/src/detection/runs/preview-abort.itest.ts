import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createClient } from "@clickhouse/client";
import { createClock } from "@kit/clock";
import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";

const LOGS = 300_000;
const clock = createClock();
let engine: Awaited<ReturnType<typeof startLogStore>>;
let client: ReturnType<typeof createClient>;
let platform: TestPlatform;
let app: Frame;
let port: number;

const fill = `
  INSERT INTO logs (id, timestamp, ingested_at, source, host, severity, message, raw, attributes)
  SELECT concat('0190', leftPad(lower(hex(number)), 12, '0')), now64(3, 'UTC') - toIntervalSecond(60) AS at, at,
    'slow', concat('host', toString(number % 400)), 'info', concat('Logon of ', toString(number)),
    repeat(concat(toString(sipHash64(number)), ' '), 40), '{}'
  FROM numbers(${LOGS})`;

/** Expensive for the engine, and matches no log. */
const RULE = {
  query: Array.from({ length: 12 }, (_, n) => `raw:/(${n}[0-9]+ ){9}([a-f]|x${n})+$/`).join(" OR "),
  source: "slow",
};

beforeAll(async () => {
  engine = await startLogStore();
  client = createClient({
    url: engine.engine.url,
    http_agent: engine.engine.agent,
    keep_alive: { idle_socket_ttl: 0 },
    request_timeout: 300_000,
  });
  await client.command({ query: fill });
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, engine.store));
  await app.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = app.server.address() as AddressInfo);
}, 300_000);

afterAll(async () => {
  await app.close();
  await client.close();
  await platform.close();
  await engine.stop();
});

async function countRunning(): Promise<number> {
  const answer = await client.query({
    query: "SELECT count() AS n FROM system.processes WHERE query NOT LIKE '%system.processes%'",
    format: "JSONEachRow",
  });
  const [row] = await answer.json<{ n: number | string }>();
  return Number(row?.n);
}

function preview() {
  const headers = { "content-type": "application/json", "x-role": "detection" };
  const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/api/v1/detections/rules/preview", headers });
  asked.end(JSON.stringify(RULE));
  return asked;
}

it("stops its query in the engine if the client disconnects", async () => {
  const began = clock.monotonicMs();
  const [whole] = await once(preview(), "response");
  whole.resume();
  await once(whole, "end");
  const wholeMs = clock.monotonicMs() - began;
  expect(whole.statusCode).toBe(200);

  const leaving = preview();
  leaving.on("error", () => undefined);
  await expect.poll(countRunning, { timeout: 30_000, interval: 20 }).toBe(1);
  const left = clock.monotonicMs();
  leaving.destroy();
  await expect.poll(countRunning, { timeout: 30_000, interval: 20 }).toBe(0);
  const stoppedMs = clock.monotonicMs() - left;
  process.stdout.write(
    `a preview of ${Math.round(wholeMs)} ms stopped ${Math.round(stoppedMs)} ms after its client left\n`,
  );
  expect(stoppedMs).toBeLessThan(wholeMs / 2);
});
