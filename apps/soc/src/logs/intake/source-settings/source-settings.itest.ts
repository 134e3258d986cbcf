import { createFakeClock } from "@kit/clock/fake";
import type { Frame } from "@kit/http/frame";
import { silentLog } from "@kit/log/silent";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../../testing/harness/feature-app.ts";
import { createIntake } from "../../../../testing/harness/shippers-intake.ts";
import type { LogEvent } from "../../../ports/log-event.ts";
import type { ParseResult } from "../formats/event.ts";
import { readJsonEvents } from "../formats/json-events.ts";
import { readSyslog } from "../formats/syslog-message.ts";
import { createSourcesStore } from "../sources.store.ts";
import { sourceSettingsRoutes } from "./source-settings.routes.ts";
import { createSourceSettingsService } from "./source-settings.service.ts";
import { createSourceSettingsStore } from "./source-settings.store.ts";

let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  const store = createSourceSettingsStore(platform.db);
  const settings = createSourceSettingsService({ ...platform, store, log: silentLog });
  app = await featureApp(platform, sourceSettingsRoutes(settings, platform.changes));
});

afterAll(() => platform.close());

async function update(source: string, payload: object, role = "admin") {
  const url = `/api/v1/siem/sources/${encodeURIComponent(source)}`;
  const answer = await app.inject({ method: "PATCH", url, payload, headers: { "x-role": role } });
  return { status: answer.statusCode, body: answer.json() };
}

describe("the settings of a source", () => {
  it("changes the settings of a source separately, with an audit entry and an event for each change", async () => {
    const source = "Microsoft-Windows-Sysmon/Operational";
    expect(await update(source, { timezone: "Europe/Berlin" }, "detection")).toEqual({
      status: 200,
      body: { source, watch: true, timezone: "Europe/Berlin" },
    });
    expect((await update(source, { watch: false })).body).toEqual({ source, watch: false, timezone: "Europe/Berlin" });
    expect((await update(source, { watch: false })).status).toBe(200);
    const entries = await platform.db
      .selectFrom("audit_log")
      .select(["action", "details"])
      .where("subject_id", "=", source)
      .orderBy("id")
      .execute();
    expect(entries).toEqual([
      { action: "source.updated", details: { watch: true, timezone: "Europe/Berlin" } },
      { action: "source.updated", details: { watch: false, timezone: "Europe/Berlin" } },
    ]);
  });

  it("deletes the settings of a source once they equal the defaults", async () => {
    await update("reset", { watch: false });
    expect((await update("reset", { watch: true })).body).toEqual({ source: "reset", watch: true, timezone: null });
    const store = createSourceSettingsStore(platform.db);
    expect((await store.all()).map(({ source }) => source)).not.toContain("reset");
  });

  it.each([
    [{}, /^body: must have watch or timezone$/],
    [{ timezone: "Mars/Olympus" }, /^timezone: 'Mars\/Olympus' is not a time zone/],
    [{ timezone: "" }, /^timezone: /],
    [{ watch: "no" }, /^watch: /],
  ])("refuses the settings %j", async (body, why) => {
    const refused = await update("refused", body);
    expect(refused).toEqual({ status: 400, body: { detail: expect.stringMatching(why) } });
  });
});

it("converts times without a zone with the zone of their source", async () => {
  const stored: LogEvent[] = [];
  const logStore = { insert: async (logs: readonly LogEvent[]) => void stored.push(...logs), count: async () => 0 };
  const { intake, worker } = createIntake({ db: platform.db, logStore, limits: { groupMs: 1 } });
  await update("naive", { timezone: "Asia/Kathmandu" });
  async function accept(found: readonly ParseResult[], source = "naive") {
    await intake.accept(found, { format: "json", sender: "key:edge", source });
    return stored.at(-1);
  }
  const naive = readJsonEvents('{"message":"x","timestamp":"2026-01-15 10:00:00"}');
  expect(await accept(naive)).toMatchObject({ timestamp: "2026-01-15T04:15:00.000Z", timestamp_origin: "event" });
  expect(await accept(naive, "other")).toMatchObject({ timestamp: "2026-01-15T10:00:00.000Z" });
  const zoned = readJsonEvents('{"message":"x","timestamp":"2026-01-15T10:00:00+01:00"}');
  expect(await accept(zoned)).toMatchObject({ timestamp: "2026-01-15T09:00:00.000Z" });
  const web = readJsonEvents('{"message":"x","timestamp":"15/Jan/2026:10:00:00"}');
  expect(await accept(web)).toMatchObject({ timestamp: "2026-01-15T04:15:00.000Z" });
  const syslog = readSyslog("<13>Jan 15 10:00:00 host naive: text", new Date("2026-01-15T06:00:00Z"));
  expect(await accept([syslog])).toMatchObject({ timestamp: "2026-01-15T04:15:00.000Z" });
  await intake.close();
  await worker.close();
});

it("applies changes in every process within five seconds, and keeps the zones while the database is unreachable", async () => {
  const clock = createFakeClock();
  const store = createSourceSettingsStore(platform.db);
  let isReachable = true;
  const failing = { all: () => (isReachable ? store.all() : Promise.reject(new Error("unreachable"))) };
  const other = createSourceSettingsService({ ...platform, clock, store: failing, log: silentLog });
  const hasZone = async () => (await other.localTimes())("cached") !== undefined;
  expect(await hasZone()).toBe(false);
  await update("cached", { timezone: "Europe/Berlin" });
  await clock.advance(4999);
  expect(await hasZone()).toBe(false);
  await clock.advance(1);
  expect(await hasZone()).toBe(true);
  isReachable = false;
  await clock.advance(5000);
  expect(await hasZone()).toBe(true);
});

it("does not report the silence of an unwatched source", async () => {
  const store = createSourcesStore(platform.db);
  const start = platform.clock.now();
  const seen = { sender: "key:edge", received: 1, stored: 1, rejected: 0, late: 0, last_seen: start };
  await store.add(
    ["watched", "unwatched"].map((source) => ({ ...seen, source })),
    start,
  );
  // Both have been sending every minute, for long enough to be watched.
  await sql`UPDATE log_sources SET interval_ms = 60000, gaps = 10, watched_from = last_seen
    WHERE source IN ('watched', 'unwatched')`.execute(platform.db);
  await update("unwatched", { watch: false });
  const later = new Date(start.getTime() + 3_600_000);
  const silences = await store.markSilent(later, start, async () => []);
  expect(silences.map(({ source }) => source)).toEqual(["watched"]);
});
