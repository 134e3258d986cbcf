import { silentLog } from "@kit/log/silent";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAuditStore } from "../audit/audit.store.ts";
import type { Caller } from "../caller/caller.ts";
import type { Role } from "../caller/permissions.ts";
import type { Tables } from "../database/tables.ts";
import type { EventReaders } from "./event.ts";
import { eventsRoutes } from "./events.routes.ts";
import { createEventsService } from "./events.service.ts";
import { createEventsStore } from "./events.store.ts";
import { createRecentEvents } from "./recent-events.ts";

interface ReceivedEvent {
  id: string;
  event: string;
  subject_id: string;
  actor: string | null;
  subject_type: string | null;
}

const READERS: EventReaders = new Map([
  ["alert", ["alerts:read"]],
  ["case", ["cases:read"]],
]);

const SOON = { timeout: 15_000 };
/** Shorter than the transactions that the tests leave open. */
const AT_ONCE = { timeout: 5000 };

/** The roles that users have now, if they differ from those at the start of the stream. */
const roles = new Map<string, Role | "none">();
let platform: TestPlatform;
let app: Awaited<ReturnType<typeof featureApp>>;
let events: ReturnType<typeof createEventsService>;

async function start(mode: "dummy" | "real" = "real", database: "fresh" | "none" = "fresh"): Promise<string> {
  platform = await testPlatform(mode, database);
  const { db, runtime, clock } = platform;
  roles.clear();
  events = createEventsService({
    runtime,
    store: createRecentEvents({ store: createEventsStore(db), clock }),
    readers: READERS,
    sights: new Map(),
    async refreshCallers(callers) {
      return new Map(
        callers.flatMap((caller): [Caller, Caller][] => {
          const role = roles.get(caller.username) ?? caller.role;
          return role === "none" ? [] : [[caller, { ...caller, role }]];
        }),
      );
    },
    clock,
    log: silentLog,
  });
  app = await featureApp(platform, eventsRoutes(events));
  return `${await app.listen({ port: 0, host: "127.0.0.1" })}/api/v1/events`;
}

afterEach(async () => {
  await app.close();
  await platform.close();
});

/** A client that behaves like a browser: it collects events, remembers the last id, and can be disconnected. */
async function connect(
  url: string,
  { role = "admin", lastEventId }: { role?: string; lastEventId?: string | undefined } = {},
) {
  const controller = new AbortController();
  const headers = { "x-role": role, ...(lastEventId && { "last-event-id": lastEventId }) };
  const response = await fetch(url, { headers, signal: controller.signal });
  const received: ReceivedEvent[] = [];
  const client = { response, received, lastEventId, isEnded: false, disconnect: () => controller.abort() };
  const collect = async () => {
    let text = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const frames = (text + chunk).split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames) {
        const field = (name: string) => frame.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
        client.lastEventId = field("id") ?? client.lastEventId;
        const data = field("data");
        if (data === undefined) continue;
        const { type, subject_id, actor, subject_type } = JSON.parse(data);
        received.push({ id: field("id") ?? "", event: field("event") ?? type, subject_id, actor, subject_type });
      }
    }
  };
  collect()
    .catch(() => undefined)
    .finally(() => {
      client.isEnded = true;
    });
  return client;
}

/** Makes one change that commits after a delay, so that later changes commit before it. */
async function change(subject_id: string, type = "alert.created", holdMs = 0, db = platform.db): Promise<void> {
  const store = createAuditStore(platform.ids);
  await db.transaction().execute(async (tx) => {
    await store.record(tx, { actor: "noor", action: type, subject_type: "alert", subject_id, details: {} });
    await platform.clock.sleep(holdMs);
  });
}

async function insertOld(count: number): Promise<void> {
  await sql`
    INSERT INTO outbox (at, type, subject_id, data)
    SELECT now() - interval '25 hours', 'alert.created', 'old', '{}' FROM generate_series(1, ${count})`.execute(
    platform.db,
  );
}

const subjects = (received: ReceivedEvent[]) => received.map(({ subject_id }) => subject_id);

it("sends 200 changes that commit in any order exactly once, even to a reader that reconnects", async () => {
  const url = await start();
  const steady = await connect(url);
  let restless = await connect(url);
  const restlessReceived: ReceivedEvent[] = [];
  const expected = Array.from({ length: 200 }, (_, index) => `a${index}`);
  // Thirty concurrent changes use other connections, so the connections of the service stay free for the reader.
  const writers = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: platform.url, max: 30 }) }),
  });
  const changing = Promise.all(
    expected.map((subject, index) => change(subject, "alert.created", (index * 137) % 400, writers)),
  );
  for (let round = 0; round < 6; round += 1) {
    await platform.clock.sleep(350);
    restless.disconnect();
    restlessReceived.push(...restless.received);
    restless = await connect(url, { lastEventId: restless.lastEventId });
  }
  await changing;
  await writers.destroy();
  await expect.poll(() => steady.received.length, SOON).toBeGreaterThanOrEqual(200);
  await expect.poll(() => restlessReceived.length + restless.received.length, SOON).toBeGreaterThanOrEqual(200);
  await platform.clock.sleep(600);
  restlessReceived.push(...restless.received);
  expect(subjects(steady.received).toSorted()).toEqual(expected.toSorted());
  expect(subjects(restlessReceived).toSorted()).toEqual(expected.toSorted());
  expect(steady.received.map(({ id }) => id)).toEqual(restlessReceived.map(({ id }) => id));
});

it("sends events without waiting for an uncommitted change, and sends that change when it commits", async () => {
  const url = await start();
  const client = await connect(url);
  const slow = change("slow", "alert.created", 2000);
  await platform.clock.sleep(100);
  await change("quick");
  await expect.poll(() => subjects(client.received), { timeout: 1500 }).toEqual(["quick"]);
  await slow;
  await expect.poll(() => subjects(client.received), SOON).toEqual(["quick", "slow"]);
});

it.each([
  ["in another database of the server", "postgres"],
  ["of a foreign session in the same database", undefined],
])("sends events while a transaction is open %s", async (_, name) => {
  const url = await start();
  const client = await connect(url);
  const address = new URL(String(platform.url));
  if (name) address.pathname = name;
  const foreign = new pg.Client(address.href);
  await foreign.connect();
  // With a transaction id and a snapshot, as migrations and backups have them.
  await foreign.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await foreign.query("SELECT pg_current_xact_id()");
  await change("now");
  await expect.poll(() => subjects(client.received), AT_ONCE).toEqual(["now"]);
  await foreign.query("ROLLBACK");
  await foreign.end();
});

it("sends no event for a change that was rolled back", async () => {
  const url = await start();
  const client = await connect(url);
  const store = createAuditStore(platform.ids);
  const undone = platform.db.transaction().execute(async (tx) => {
    await store.record(tx, {
      actor: "noor",
      action: "alert.created",
      subject_type: "alert",
      subject_id: "u",
      details: {},
    });
    throw new Error("taken back");
  });
  await expect(undone).rejects.toThrow("taken back");
  await change("kept");
  await expect.poll(() => subjects(client.received), SOON).toEqual(["kept"]);
});

it("catches up on more than one page and continues from there", async () => {
  const url = await start();
  await change("first");
  const client = await connect(url);
  await expect.poll(() => client.lastEventId, SOON).toBeDefined();
  client.disconnect();
  for (let index = 0; index < 350; index += 1) await change(`a${index}`);
  const back = await connect(url, { lastEventId: client.lastEventId });
  await expect.poll(() => back.received.length, SOON).toBe(350);
  await change("after");
  await expect.poll(() => back.received.length, SOON).toBe(351);
  expect(subjects(back.received)).toEqual([...Array.from({ length: 350 }, (_, index) => `a${index}`), "after"]);
});

it("sends callers only the events that they may read", async () => {
  const url = await start();
  const tier1 = await connect(url, { role: "tier1" });
  const admin = await connect(url);
  for (const type of ["alert.created", "user.created", "approval.requested", "case.updated"]) await change(type, type);
  await expect.poll(() => subjects(admin.received), SOON).toHaveLength(4);
  await expect.poll(() => subjects(tier1.received), SOON).toEqual(["alert.created", "case.updated"]);
});

it("names the author and the record of a change, and null in events stored by an older release", async () => {
  const client = await connect(await start());
  await change("a1");
  await insertOld(1);
  await expect.poll(() => subjects(client.received), SOON).toEqual(["a1", "old"]);
  expect(client.received).toMatchObject([
    { actor: "noor", subject_type: "alert" },
    { actor: null, subject_type: null },
  ]);
});

it("sends only the requested types or nouns, and never more than the caller may read", async () => {
  const url = await start();
  const [some, tier1] = [
    await connect(`${url}?types=alert.created&types=user`),
    await connect(`${url}?types=user,case`, { role: "tier1" }),
  ];
  for (const type of ["alert.created", "alert.updated", "user.created", "users.created", "case.updated"])
    await change(type, type);
  await expect.poll(() => subjects(some.received), SOON).toEqual(["alert.created", "user.created"]);
  await expect.poll(() => subjects(tier1.received), SOON).toEqual(["case.updated"]);
  for (const types of ["", "A", "alert.", "a.b.c", "x".repeat(60)])
    expect((await fetch(`${url}?types=${types}`)).status).toBe(400);
});

it("stops sending events to a caller who has lost the permission or the account since the stream opened", async () => {
  const url = await start();
  const [demoted, deleted] = [await connect(url, { role: "admin" }), await connect(url, { role: "manager" })];
  await change("first", "user.created");
  await expect.poll(() => subjects(demoted.received), SOON).toEqual(["first"]);
  roles.set("admin", "tier1").set("manager", "none");
  await change("second", "user.created");
  await change("third", "alert.created");
  await expect.poll(() => subjects(demoted.received), SOON).toEqual(["first", "third"]);
  await expect.poll(() => deleted.isEnded, SOON).toBe(true);
  expect(deleted.received).toEqual([]);
});

it.each(["nonsense", "999999999", "3-1"])(
  "sends a reset to a reader whose last event is %s and unknown",
  async (lastEventId) => {
    const url = await start();
    await change("before");
    const client = await connect(url, { lastEventId });
    await expect.poll(() => client.received.map(({ event }) => event), SOON).toEqual(["reset"]);
    await change("after");
    await expect.poll(() => subjects(client.received), SOON).toEqual([undefined, "after"]);
  },
);

it("resumes from the position of an empty outbox, and from before its first event", async () => {
  const url = await start();
  const first = await connect(url);
  await expect.poll(() => first.lastEventId, SOON).toBeDefined();
  first.disconnect();
  const second = await connect(url, { lastEventId: first.lastEventId });
  await change("one");
  await expect.poll(() => subjects(second.received), SOON).toEqual(["one"]);
  const third = await connect(url, { lastEventId: first.lastEventId });
  await expect.poll(() => subjects(third.received), SOON).toEqual(["one"]);
});

it("sends a reset only to a reader that missed deleted events", async () => {
  const url = await start();
  const before = await connect(url);
  await expect.poll(() => before.lastEventId, SOON).toBeDefined();
  before.disconnect();
  const witness = await connect(url, { lastEventId: before.lastEventId });
  await insertOld(1);
  await expect.poll(() => subjects(witness.received), SOON).toEqual(["old"]);
  expect(await events.sweep()).toBe(1);
  // Events that the process still has in memory are not missed.
  const late = await connect(url, { lastEventId: before.lastEventId });
  await expect.poll(() => subjects(late.received), SOON).toEqual(["old"]);
  witness.disconnect();
  late.disconnect();
  await platform.clock.sleep(1000);
  await change("new");
  const missed = await connect(url, { lastEventId: before.lastEventId });
  await expect.poll(() => missed.received.map(({ event }) => event), SOON).toEqual(["reset"]);
  const informed = await connect(url, { lastEventId: witness.received[0]?.id });
  await expect.poll(() => subjects(informed.received), SOON).toEqual(["new"]);
});

it("answers with the headers of a stream, and ends it when the server closes", async () => {
  const url = await start();
  const client = await connect(url);
  expect(client.response.status).toBe(200);
  expect(client.response.headers.get("content-type")).toBe("text/event-stream");
  expect(client.response.headers.get("cache-control")).toBe("no-store");
  expect(client.response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  const start_ms = platform.clock.monotonicMs();
  await app.close();
  expect(platform.clock.monotonicMs() - start_ms).toBeLessThan(2000);
  await expect.poll(() => client.isEnded, SOON).toBe(true);
});

it("deletes all events older than a day and keeps the others", async () => {
  await start();
  await insertOld(12_000);
  await sql`
    INSERT INTO outbox (at, type, subject_id, data)
    VALUES (now() - interval '23 hours', 'alert.created', 'recent', '{}')`.execute(platform.db);
  let swept = 0;
  await expect.poll(async () => (swept += await events.sweep()), SOON).toBe(12_000);
  const kept = await platform.db.selectFrom("outbox").select("subject_id").execute();
  expect(kept).toEqual([{ subject_id: "recent" }]);
});

it("sends no events in dummy mode without a database, and answers 503 in real mode", async () => {
  const client = await connect(await start("dummy", "none"));
  expect(client.response.status).toBe(200);
  await app.close();
  await platform.close();
  const refused = await connect(await start("real", "none"));
  expect(refused.response.status).toBe(503);
});
