import type { Frame } from "@kit/http/frame";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startSharedLogStore } from "../../../testing/servers/shared-log-store.ts";

const NO_RESTARTS = { restarts_24h: 0, last_reason: null };
const UP = { state: "up", ...NO_RESTARTS };
const DOWN = { state: "down", ...NO_RESTARTS };
const OFF = { state: "off", ...NO_RESTARTS };

async function askHealth(app: Frame) {
  return (await app.inject({ url: "/api/v1/system/health", headers: await signIn(app) })).json();
}

async function askReady(app: Frame) {
  const { statusCode, body } = await app.inject("/ready");
  return [statusCode, JSON.parse(body)];
}

const NOT_READY = [503, { detail: "not ready" }];
const READY = [200, { status: "ready" }];

describe("the health of a platform in real mode", () => {
  let url: string;
  let owner: pg.Client;
  let logs: Awaited<ReturnType<typeof startSharedLogStore>>;

  beforeAll(async () => {
    ({ url } = await freshDatabase());
    owner = new pg.Client(url);
    await owner.connect();
    logs = await startSharedLogStore();
  });
  afterAll(async () => {
    await owner.end();
    await logs.stop();
  });

  it("reports degraded and not ready until a worker reads the stream", async () => {
    const { app, close } = await wholePlatform("real", url, undefined, logs.logStore);
    await owner.query("UPDATE detection_stream SET position = now() - interval '90 s'");
    const before = await askHealth(app);
    expect(before).toEqual({
      status: "degraded",
      database: { state: "up" },
      log_engine: UP,
      worker: DOWN,
      stream_lag_s: expect.any(Number),
      event_delay_s: expect.any(Number),
      clock: { offset_ms: expect.any(Number) },
      ledger: { alarm: null },
      audit: { alarm: null, lag_s: expect.any(Number), failing_receivers: [] },
      devices: { alarm: null },
      disks: { full: [] },
    });
    expect(before.stream_lag_s).toBeGreaterThan(90);
    expect(await askReady(app)).toEqual(NOT_READY);

    await owner.query(
      "UPDATE detection_stream SET position = now(), leader = 'w', leads_until = now() + interval '1 h'",
    );
    expect(await askHealth(app)).toMatchObject({ status: "ok", worker: UP });
    await expect.poll(() => askReady(app), { timeout: 5000 }).toEqual(READY);
    await close();
  });

  it("reports degraded and not ready while the log store does not respond", async () => {
    const { app, close } = await wholePlatform("real", url);
    await owner.query(
      "UPDATE detection_stream SET position = now(), leader = 'w', leads_until = now() + interval '1 h'",
    );
    expect(await askHealth(app)).toMatchObject({ status: "degraded", log_engine: DOWN, worker: UP });
    expect(await askReady(app)).toEqual(NOT_READY);
    await close();
  });

  it("reports not ready without a database, and shows no details to an unauthenticated caller", async () => {
    const { app, close } = await wholePlatform("real", "postgres://127.0.0.1:1/none", undefined, logs.logStore);
    expect(await askReady(app)).toEqual(NOT_READY);
    expect((await app.inject("/api/v1/system/health")).statusCode).toBe(401);
    await close();
  });
});

it("reports ready in dummy mode without a database, a log engine and a worker", async () => {
  const { app, close } = await wholePlatform("dummy");
  expect(await askHealth(app)).toEqual({
    status: "ok",
    database: { state: "off" },
    log_engine: OFF,
    worker: OFF,
    stream_lag_s: null,
    event_delay_s: null,
    clock: { offset_ms: null },
    ledger: { alarm: null },
    audit: { alarm: null, lag_s: null, failing_receivers: [] },
    devices: { alarm: null },
    disks: { full: [] },
  });
  expect(await askReady(app)).toEqual(READY);
  await close();
});
