import { EventEmitter, once } from "node:events";
import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { createAlertsService } from "../../alerts/alerts/alerts.service.ts";
import { createAlertsStore, createShowcaseAlertsStore } from "../../alerts/alerts/alerts.store.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { compileAlertQuery } from "../query/alert-query.ts";
import { readJsonEvents } from "./formats/json-events.ts";
import { createSourcesService, type SourcesServiceDeps } from "./sources.service.ts";
import { createSourcesStore } from "./sources.store.ts";

let platform: TestPlatform;
const origin = { format: "json", sender: "key:edge" } as const;

beforeAll(async () => {
  platform = await testPlatform("real");
  await platform.runtime.truth();
});

afterAll(() => platform.close());

it("learns one gap from one event, although the event is received before and stored after a flush", async () => {
  const events = new EventEmitter();
  const logStore = {
    async insert() {
      events.emit("storing");
      await once(events, "stored");
    },
    count: async () => 0,
  };
  const { intake, sources } = createIntake({ db: platform.db, logStore, limits: { groupMs: 1 } });
  const storing = once(events, "storing");
  const accepted = intake.accept(readJsonEvents('{"message":"x"}'), { ...origin, source: "two-steps" });
  await storing;
  await sources.flush();
  await platform.clock.sleep(20);
  events.emit("stored");
  await accepted;
  await sources.flush();
  const found = await sql`SELECT gaps, received, stored FROM log_sources WHERE source = 'two-steps'`.execute(
    platform.db,
  );
  expect(found.rows).toEqual([{ gaps: 0, received: "1", stored: "1" }]);
  await intake.close();
});

it("counts the received, stored, refused and late events of each source exactly once", async () => {
  const logStore = { insert: async () => undefined, count: async () => 0 };
  const { intake, sources, worker } = createIntake({ db: platform.db, logStore, limits: { groupMs: 1 } });
  const old = `{"message":"old","timestamp":"2020-01-01T00:00:00Z"}`;
  await intake.accept(readJsonEvents(`{"id":"1","message":"x"}\n${old}\n{broken`), { ...origin, source: "counted" });
  await intake.accept(readJsonEvents('{"id":"1","message":"x"}'), { ...origin, source: "counted" });
  await sources.flush();
  const state = (await sources.states()).find(({ source }) => source === "counted");
  expect(state).toMatchObject({ received: 4, stored: 2, rejected: 1, late: 1, silent_since: null });
  await intake.close();
  await worker.close();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const alerts = () => {
  const { db, runtime, clock, ids } = platform;
  const unused = async () => {
    throw new Error("no case is opened here");
  };
  const audit = createAuditStore(ids);
  return createAlertsService({
    runtime,
    stores: { database: createAlertsStore(db), showcase: createShowcaseAlertsStore([]) },
    compileQuery: compileAlertQuery,
    changes: createAlertChanges({ audit, clock }),
    cases: { open: unused, find: unused, note: unused },
    audit,
    clock,
    ids,
  });
};

const listAlerts = async (source: string) =>
  platform.db.selectFrom("alerts").selectAll().where("title", "like", `%'${source}'%`).orderBy("id").execute();

function watch(everyMs: number[], checkMs: number, name = `every-${everyMs.at(-1)}`) {
  const clock = createFakeClock();
  const reported: { title: string; at: number }[] = [];
  const store = createSourcesStore(platform.db);
  const real = alerts();
  const telling: SourcesServiceDeps["alerts"] = {
    async create(tx, caller, report) {
      reported.push({ title: report.title, at: clock.now().getTime() });
      return real.create(tx, caller, report);
    },
    closeByItself: (...given) => real.closeByItself(...given),
  };
  const start = () => createSourcesService({ store, clock, log: silentLog, alerts: telling });
  const service = start();
  const startMs = clock.now();
  async function arrive(listeningSince = startMs): Promise<void> {
    const counts = {
      source: name,
      sender: "key:edge",
      received: 1,
      stored: 1,
      rejected: 0,
      late: 0,
      last_seen: clock.now(),
    };
    await store.add([counts], listeningSince);
  }
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= checkMs) {
      await clock.advance(Math.min(checkMs, left));
      await service.listen();
    }
  }
  /** The source has been sending for long enough to be watched. */
  async function warmUp(): Promise<void> {
    await arrive();
    await clock.advance(6 * HOUR);
    await arrive();
    await sql`UPDATE log_sources SET interval_ms = 0, gaps = 0 WHERE source = ${name}`.execute(platform.db);
  }
  async function learn(times = 10): Promise<void> {
    await warmUp();
    for (let turn = 0; turn < times; turn += 1) {
      await arrive();
      await pass(everyMs[turn % everyMs.length] ?? 0);
    }
    await arrive();
  }
  const mine = () => reported.filter(({ title }) => title.includes(`'${name}'`));
  return { clock, arrive, pass, learn, warmUp, mine, service, start, name, store };
}

it.each([
  ["every minute", [MINUTE], 2 * MINUTE],
  ["in bursts", [...Array(11).fill(1000), 10 * MINUTE], 20 * MINUTE],
])(
  "reports once, within two usual intervals, that a source that sent %s is silent",
  async (_what, pattern, withinMs) => {
    const { clock, arrive, pass, mine, service, name, warmUp } = watch(pattern, 5000);
    await warmUp();
    await arrive();
    for (let turn = 0; turn < 48; turn += 1) {
      await pass(pattern[turn % pattern.length] ?? 0);
      await arrive();
    }
    // By now the gap between bursts is learned, from the fourth burst on.
    const firstHalf = mine().length;
    for (let turn = 0; turn < 24; turn += 1) {
      await pass(pattern[turn % pattern.length] ?? 0);
      await arrive();
    }
    expect(mine()).toHaveLength(firstHalf);
    const lastMs = clock.now().getTime();
    await pass(3 * withinMs);
    const [silence, ...more] = mine().slice(firstHalf);
    expect(more).toEqual([]);
    expect((silence?.at ?? Number.POSITIVE_INFINITY) - lastMs).toBeLessThanOrEqual(withinMs);
    const findState = async () => (await service.states()).find(({ source }) => source === name);
    expect((await findState())?.silent_since).toEqual(new Date(lastMs));
    await arrive();
    expect((await findState())?.silent_since).toBeNull();
  },
);

it("raises one alert per source, counts repeats, and closes it when the source sends again", async () => {
  const { clock, learn, start, name, service, pass, arrive } = watch([MINUTE], 5000, "edge-fw");
  await learn();
  const since = clock.now().toISOString();
  const other = start();
  await clock.advance(2 * MINUTE);
  await Promise.all([service.listen(), other.listen()]);
  expect(await listAlerts(name)).toMatchObject([
    {
      title: "Log source 'edge-fw' is silent",
      description: expect.stringContaining(`nothing since ${since}`),
      source: "intake",
      severity: "medium",
      status: "new",
      occurrence_count: 1,
    },
  ]);
  await pass(MINUTE);
  await arrive();
  await Promise.all([service.listen(), other.listen()]);
  const resolution = "The source sends again.";
  expect(await listAlerts(name)).toMatchObject([{ status: "closed", resolution, acknowledged_at: null }]);
  await pass(20 * MINUTE);
  expect(await listAlerts(name)).toMatchObject([{ status: "new", occurrence_count: 2, reopened_count: 1 }]);
});

it("does not close an alert that a person works on", async () => {
  const { learn, name, pass, arrive, service } = watch([MINUTE], 5000, "edge-vpn");
  await learn();
  await pass(3 * MINUTE);
  await platform.db
    .updateTable("alerts")
    .set({ status: "investigating" })
    .where("title", "like", `%'${name}'%`)
    .execute();
  await arrive();
  await service.listen();
  expect(await listAlerts(name)).toMatchObject([{ status: "investigating" }]);
});

it("closes the one alert of many silent sources when the last of them sends again", async () => {
  const names = Array.from({ length: 21 }, (_, n) => `many-${n}`);
  const watched = names.map((name) => watch([MINUTE], MINUTE, name));
  for (const { learn } of watched) await learn(4);
  const [first] = watched;
  if (!first) throw new Error("no source is watched");
  const { clock, service } = first;
  await clock.advance(HOUR);
  await service.listen();
  const readMany = () =>
    platform.db.selectFrom("alerts").selectAll().where("title", "=", "Many log sources are silent").execute();
  const [raised] = await readMany();
  expect(raised).toMatchObject({ status: "new", severity: "high" });
  const { rows } = await sql<{ source: string }>`
    SELECT source FROM log_sources WHERE silence_alert_id = ${raised?.id}`.execute(platform.db);
  const silent = rows.map(({ source }) => source);
  expect(silent).toEqual(expect.arrayContaining(names));
  const send = (some: readonly string[]) =>
    first.store.add(
      some.map((source) => ({
        source,
        sender: "key",
        received: 1,
        stored: 1,
        rejected: 0,
        late: 0,
        last_seen: clock.now(),
      })),
      new Date(0),
    );
  await send(silent.slice(1));
  await service.listen();
  expect(await readMany()).toMatchObject([{ status: "new" }]);
  await send(silent);
  await service.listen();
  expect(await readMany()).toMatchObject([{ status: "closed", occurrence_count: 1 }]);
});

it.each([
  ["that was loaded in one burst", "burst-import"],
  ["that has no name", "unknown"],
])("never reports a source %s", async (_what, name) => {
  const { arrive, clock, service, mine, warmUp } = watch([MINUTE], 5000, name);
  if (name === "unknown") await warmUp();
  for (let turn = 0; turn < 20; turn += 1) {
    await arrive();
    await clock.advance(15_000);
  }
  await clock.advance(48 * HOUR);
  await service.listen();
  expect(mine()).toEqual([]);
});

it("detects a silence again if its report failed", async () => {
  const { clock, learn, name, service, store } = watch([MINUTE], 5000, "edge-proxy");
  await learn();
  await clock.advance(2 * MINUTE);
  const fail = async () => {
    throw new Error("alerts cannot be stored");
  };
  await expect(store.markSilent(clock.now(), new Date(0), fail)).rejects.toThrow("cannot be stored");
  await service.listen();
  expect(await listAlerts(name)).toHaveLength(1);
});

it("neither reports nor learns a silence during which no process was listening", async () => {
  const { clock, learn, start, name, arrive } = watch([MINUTE], 5000, "edge-dns");
  await learn();
  await clock.advance(60 * MINUTE);
  const restarted = start();
  const restartedAt = clock.now();
  await restarted.listen();
  expect(await listAlerts(name)).toEqual([]);
  await clock.advance(MINUTE);
  await arrive(restartedAt);
  await clock.advance(2 * MINUTE);
  await restarted.listen();
  expect(await listAlerts(name)).toHaveLength(1);
});

it("treats a source as alive although its events cannot be stored now", async () => {
  const failToAnswer = async () => {
    throw new Problem("unavailable", "the log store does not answer");
  };
  const { intake, sources } = createIntake({
    db: platform.db,
    logStore: { insert: failToAnswer, count: async () => 0 },
    name: "deaf",
    limits: { groupMs: 1 },
  });
  const refused = intake.accept(readJsonEvents("{}"), { ...origin, source: "refused" });
  await expect(refused).rejects.toThrow("does not answer");
  await sources.flush();
  const state = (await sources.states()).find(({ source }) => source === "refused");
  expect(state).toMatchObject({ received: 0, stored: 0, rejected: 0 });
  await intake.close();
});

it("reports nothing about a source that it does not know yet", async () => {
  const { arrive, pass, mine } = watch([7], 1000);
  await arrive();
  await pass(MINUTE);
  expect(mine()).toEqual([]);
});

describe("invented source names", () => {
  const count = async (where: string) => {
    const { rows } = await sql<{ count: string }>`
      SELECT count(*) FROM log_sources WHERE source LIKE ${where}`.execute(platform.db);
    return Number(rows[0]?.count);
  };
  const at = (source: string, sender: string, last_seen = platform.clock.now()) => ({
    ...{ source, sender, received: 1, stored: 1, rejected: 0, late: 0, last_seen },
  });

  it("limits new source names per sender and hour, and for all plain syslog, and leaves room for others", async () => {
    const store = createSourcesStore(platform.db);
    const name = (n: number) => `made-up ${String(n).padStart(5, "0")}`;
    await store.add(
      Array.from({ length: 500 }, (_, n) => at(name(n), "syslog/udp:10.0.0.1")),
      new Date(0),
    );
    await store.add(
      Array.from({ length: 500 }, (_, n) => at(name(1000 + n), "syslog/udp:10.0.0.1")),
      new Date(0),
    );
    expect(await count("made-up %")).toBe(100);
    // Forged addresses, each with one source.
    await store.add(
      Array.from({ length: 8000 }, (_, n) => at(name(2000 + n), `syslog/udp:10.1.${n >> 8}.${n & 255}`)),
      new Date(0),
    );
    expect(await count("made-up %")).toBe(5000);
    await store.add([at("real source", "key:edge")], new Date(0));
    expect(await count("real source")).toBe(1);
    // A known source is still counted.
    await store.add([at(name(0), "syslog/udp:10.0.0.1")], new Date(0));
    const { rows } = await sql`SELECT received FROM log_sources WHERE source = ${name(0)}`.execute(platform.db);
    expect(rows).toEqual([{ received: "2" }]);
  });

  it("deletes a source a day after its last event", async () => {
    const store = createSourcesStore(platform.db);
    const daysAgo = (days: number) => new Date(platform.clock.now().getTime() - days * 24 * 60 * MINUTE);
    await sql`DELETE FROM log_sources`.execute(platform.db);
    await store.add(
      [
        at("open old", "syslog/udp:10.0.0.1", daysAgo(2)),
        at("open new", "syslog/udp:10.0.0.1", daysAgo(0.5)),
        at("key old", "key:edge", daysAgo(31)),
        at("key new", "key:edge", daysAgo(29)),
      ],
      new Date(0),
    );
    expect(await store.sweep()).toBe(2);
    expect([await count("open new"), await count("key new")]).toEqual([1, 1]);
  });
});
