import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { intakeRoutes } from "./intake.routes.ts";
import { otherIntakesRoutes } from "./other-intakes.routes.ts";

// The full proof runs alone on its machine; other runs share it.
const SLACK = process.env.PROVE === "full" ? 1 : 5;
const MAX_ANSWER_MS = 1000 * SLACK;
const MAX_BLOCKED_MS = 200 * SLACK;
const MAX_BYTES = 100 * 1024 * 1024 * (SLACK > 1 ? 2 : 1);
const BYTES = 32 * 1024 * 1024;
const clock = createClock();
const app = createTestFrame();
let platform: TestPlatform;

beforeAll(async () => {
  platform = await testPlatform("real");
  const { intake, bodies } = createIntake({
    db: platform.db,
    logStore: { insert: async () => undefined, count: async () => 0 },
  });
  app.decorateRequest("caller", null);
  app.addHook("onRequest", async (request) => {
    request.caller = { kind: "api_key", username: "key:bomber", role: "agent", scopes: ["siem:ingest"] };
  });
  await app.register(intakeRoutes(intake, bodies), { prefix: "/api/v1" });
  await app.register(otherIntakesRoutes(intake, bodies, clock));
});
afterAll(async () => {
  await app.close();
  await platform.close();
});

const fill = (unit: string, around = 0) => unit.repeat(Math.floor((BYTES - around) / unit.length));
const OTLP = ['{"resourceLogs":[{"scopeLogs":[{"logRecords":[', "{}]}]}]}"] as const;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}
const field = (number: number, content: Buffer) =>
  Buffer.concat([Buffer.from([number * 8 + 2]), varint(content.length), content]);
/** ScopeLogs with empty records, within ResourceLogs, within the request. */
const protobuf = () => field(1, field(2, Buffer.from("\x12\x00".repeat(BYTES / 2 - 64), "latin1")));

const TOO_MANY = "body: must have at most 200000 events";
const BOMBS: readonly [string, string, string | undefined, () => string | Buffer, RegExp][] = [
  ["objects in lines", "/api/v1/siem/ingest", undefined, () => fill("{}\n"), RegExp(TOO_MANY)],
  ["objects in a list", "/api/v1/siem/ingest", undefined, () => `[${fill("{},", 4)}{}]`, RegExp(TOO_MANY)],
  ["HEC events", "/services/collector/event", undefined, () => fill("{}"), RegExp(TOO_MANY)],
  ["lines of _bulk", "/_bulk", undefined, () => fill("{}\n"), RegExp(TOO_MANY)],
  ["records of OTLP", "/v1/logs", undefined, () => `${OTLP[0]}${fill("{},", 100)}${OTLP[1]}`, /must have at most/],
  ["records of OTLP in protobuf", "/v1/logs", "application/x-protobuf", protobuf, /body: must/],
];

it.each(BOMBS)(
  "refuses a small body that decompresses to millions of %s, before parsing them",
  {
    timeout: 120_000,
  },
  async (_what, url, type = "application/json", build, detail) => {
    const payload = gzipSync(build());
    expect(payload.length).toBeLessThan(100_000);
    await clock.sleep(100);
    const before = process.memoryUsage().rss;
    let most = before;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const startMs = clock.monotonicMs();
    const asked = app.inject({
      method: "POST",
      url,
      payload,
      headers: { "content-encoding": "gzip", "content-type": type },
    });
    let isOver = false;
    const answer = asked.then((response) => {
      isOver = true;
      return response;
    });
    while (!isOver) {
      most = Math.max(most, process.memoryUsage().rss);
      await clock.sleep(5);
    }
    const response = await answer;
    delay.disable();
    // Each endpoint has its own error format.
    expect([response.statusCode, response.body]).toEqual([400, expect.stringMatching(detail)]);
    expect(clock.monotonicMs() - startMs).toBeLessThan(MAX_ANSWER_MS);
    expect(delay.max / 1e6).toBeLessThan(MAX_BLOCKED_MS);
    expect(most - before).toBeLessThan(MAX_BYTES);
  },
);

it("answers a body of blank lines at once", async () => {
  const payload = gzipSync(fill("\n"));
  const startMs = clock.monotonicMs();
  const response = await app.inject({
    method: "POST",
    url: "/api/v1/siem/ingest",
    payload,
    headers: { "content-encoding": "gzip" },
  });
  expect([response.statusCode, response.json()]).toEqual([202, { accepted: 0, rejected: 0, dead_letter_ids: [] }]);
  expect(clock.monotonicMs() - startMs).toBeLessThan(MAX_ANSWER_MS);
});

it("stores events of 20,000 attributes without blocking other requests", { timeout: 240_000 }, async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `"some.attribute${at}":${at}`).join(",");
  const payload = gzipSync(`{"index":{}}\n{${names}}\n`.repeat(50));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  await clock.sleep(100);
  delay.enable();
  const headers = { "content-encoding": "gzip", "content-type": "application/x-ndjson" };
  const response = await app.inject({ method: "POST", url: "/logs-x/_bulk", payload, headers });
  delay.disable();
  expect([response.statusCode, response.json().errors]).toEqual([200, false]);
  // One event of half a megabyte is parsed without a break. All 50 in one turn took four seconds.
  expect(delay.max / 1e6).toBeLessThan(MAX_BLOCKED_MS * 2);
});
