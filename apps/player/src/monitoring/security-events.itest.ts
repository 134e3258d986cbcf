import { afterEach, beforeEach, expect, it } from "vitest";
import { startMonitoringBench } from "../../testing/monitoring-bench.ts";
import { type SecurityPlatform, startSecurityPlatform } from "../../testing/security-platform.ts";

const WITHIN = { timeout: 30_000, interval: 50 };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let platform: SecurityPlatform;

beforeEach(async () => {
  platform = await startSecurityPlatform();
});
afterEach(() => platform.close());

const update = (status: "success" | "failed" | "rolled_back" | "installing", error = "") =>
  ["ota", { in_progress: status === "installing", progress: 0, mode: "idle", status, error }] as const;

it("sends the ends of updates and boot failures by the device's certificate, in order, each once", async () => {
  const bench = await startMonitoringBench();
  bench.boot_failures.push({ component: "audio", error: "mpv is not installed" });
  await bench.enrol(platform);
  for (const change of [update("installing"), update("installing"), update("success"), update("success")]) {
    bench.events.emit(...change);
  }
  bench.events.emit(...update("rolled_back", "audio: no sound"));
  bench.events.emit("volume", { volume: 3 });
  await expect.poll(() => platform.listEvents(), WITHIN).toHaveLength(3);
  expect(platform.listEvents()).toEqual([
    {
      ...{ id: expect.stringMatching(UUID), at: expect.stringMatching(/^20\d\d-.*Z$/), type: "boot_failure" },
      details: { component: "audio", error: "mpv is not installed" },
    },
    expect.objectContaining({ type: "update", details: { result: "installed", version: "1.2.3" } }),
    expect.objectContaining({
      type: "update",
      details: { result: "rolled_back", version: "1.2.3", error: "audio: no sound" },
    }),
  ]);
  expect(new Set(platform.received.filter(({ path }) => path === "/events").map(({ device }) => device))).toEqual(
    new Set(["device-1"]),
  );
  await expect.poll(bench.status, WITHIN).toMatchObject({ state: "on", events: { waiting: 0, dropped: 0 } });
  const { items } = await bench.sent();
  expect(items[0]).toMatchObject({ kind: "events", delivered: true });
  expect(JSON.parse(items[0].content)).toEqual(platform.received.at(-1)?.body);
});

it("keeps events while the platform fails, also over a restart, and sends the same ids again", async () => {
  const bench = await startMonitoringBench();
  await bench.enrol(platform);
  platform.refuse("/events", 503);
  bench.events.emit(...update("failed", "firmware: broken"));
  await expect.poll(() => platform.listEvents().length, WITHIN).toBeGreaterThan(0);
  await expect
    .poll(bench.status, WITHIN)
    .toMatchObject({ state: "waiting", last_error: "events: the platform answered 503: refused with 503" });
  expect(await bench.status()).toMatchObject({ events: { waiting: 1 } });
  await bench.close();
  platform.refuse("/events", undefined);
  const again = await startMonitoringBench({ dataFolder: bench.dataFolder });
  await expect.poll(again.status, WITHIN).toMatchObject({ state: "on", events: { waiting: 0 } });
  const ids = platform.listEvents().map(({ id }: { id: string }) => id);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
});

it("stops when the platform does not know the device any more", async () => {
  const bench = await startMonitoringBench();
  await bench.enrol(platform);
  platform.refuse("/events", 401);
  bench.events.emit(...update("failed"));
  await expect.poll(bench.status, WITHIN).toMatchObject({ state: "refused", events: { waiting: 1 } });
  const count = platform.received.length;
  bench.events.emit(...update("success"));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(platform.received).toHaveLength(count);
});
