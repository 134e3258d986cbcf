import { EventEmitter, once } from "node:events";
import { gzipSync } from "node:zlib";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES, type Caller } from "../../foundation/caller/caller.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { deadLettersRoutes } from "./dead-letters.routes.ts";
import { readJsonEvents } from "./formats/json-events.ts";
import { intakeRoutes } from "./intake.routes.ts";
import { otherIntakesRoutes } from "./other-intakes.routes.ts";

const clock = createClock();
let identity: Identity;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let key: string;
let url: string;
/** Runs before each insert into the log store. A test can block or fail the insert here. */
let gate: (batch: readonly LogEvent[]) => Promise<void> = async () => undefined;
let store: Pick<LogStore, "insert" | "count">;
let made: ReturnType<typeof createIntake>;

const ADMIN: Caller = { kind: "user", username: "admin", role: "admin" };

beforeAll(async () => {
  logs = await startLogStore();
  ({ url } = await freshDatabase());
  identity = await startIdentity({ url, generalLimitPerMinute: 100 });
  store = {
    insert: async (batch, options) => {
      await gate(batch);
      await logs.store.insert(batch, options);
    },
    count: (...asked) => logs.store.count(...asked),
  };
  made = createIntake({ db: identity.db, logStore: store, limits: { groupMs: 20 } });
  await register(identity, made);
  await identity.addUser("admin");
  await identity.addUser("noor", "tier1");
  const admin = await identity.bearer("admin");
  const payload = { name: "edge", scopes: ["siem:ingest"] };
  const created = await identity.app.inject({ method: "POST", url: "/api/v1/api-keys", headers: admin, payload });
  key = created.json().key;
});

afterAll(async () => {
  await made.intake.close();
  await made.worker.close();
  await identity.close();
  await logs.stop();
});

async function register({ app }: Identity, { intake, bodies, deadLetters }: typeof made): Promise<void> {
  await app.register(otherIntakesRoutes(intake, bodies, clock));
  await app.register(intakeRoutes(intake, bodies), { prefix: "/api/v1" });
  await app.register(deadLettersRoutes(deadLetters), { prefix: "/api/v1" });
}

const post = (path: string, payload: string | Buffer, headers: Record<string, string> = { "x-api-key": key }) =>
  identity.app.inject({ method: "POST", url: path, payload, headers });
const ingest = (payload: string | Buffer, headers: Record<string, string> = {}, query = "") =>
  post(`/api/v1/siem/ingest${query}`, payload, { "x-api-key": key, ...headers });

async function listStored(source: string): Promise<LogEvent[]> {
  const found = await logs.store.search({
    scope: ALL_SITES,
    where: { sql: "source = {source:String}", parameters: { source } },
    time: "ingested_at",
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
    order: "oldest",
    limit: 1000,
  });
  return found.toSorted((a, b) => (a.message < b.message ? -1 : 1));
}
const listMessages = async (source: string) => (await listStored(source)).map(({ message }) => message);

describe("POST /siem/ingest", () => {
  it("answers after the logs are stored with the original text and the defaults", async () => {
    const before = clock.now().toISOString();
    const answer = await ingest(
      '[{"message":"one","user":"noor"},{"message":"two","source":"own"}]',
      {},
      "?source=s-plain&site=hq",
    );
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ accepted: 2, rejected: 0, dead_letter_ids: [] });
    const [one] = await listStored("s-plain");
    expect(one).toMatchObject({ message: "one", user: "noor", site: "hq", raw: '{"message":"one","user":"noor"}' });
    expect([before, one?.timestamp, one?.ingested_at].toSorted()).toEqual([before, one?.timestamp, one?.ingested_at]);
    expect(await listMessages("own")).toEqual(["two"]);
  });

  it("accepts gzip and refuses a decompression bomb, another encoding and a body that is too large", async () => {
    const packed = gzipSync('{"message":"packed","source":"s-gzip"}');
    expect((await ingest(packed, { "content-encoding": "gzip" })).statusCode).toBe(202);
    expect(await listMessages("s-gzip")).toEqual(["packed"]);
    const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, " "));
    expect(bomb.length).toBeLessThan(100_000);
    const refusals = [
      [await ingest(bomb, { "content-encoding": "gzip" }), "body: must be at most 33554432 bytes after decompression"],
      [await ingest("nonsense", { "content-encoding": "gzip" }), "body: is not valid gzip"],
      [await ingest("{}", { "content-encoding": "br" }), "Content-Encoding: must be one of identity, gzip"],
      [await ingest(Buffer.alloc(33 * 1024 * 1024, " ")), "body: must be at most 33554432 bytes"],
    ] as const;
    for (const [answer, detail] of refusals) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ detail });
    }
  });

  it("stores a batch once, whether it is repeated later, concurrently or through another process", async () => {
    const batch = Array.from({ length: 50 }, (_, n) => `{"message":"m${n}","source":"s-batch"}`).join("\n");
    const headers = { "x-batch-id": "b-1" };
    const first = await Promise.all(Array.from({ length: 8 }, () => ingest(batch, headers)));
    expect(first.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(202));
    expect(first.map((answer) => answer.json().accepted)).toEqual(Array(8).fill(50));
    expect((await ingest(batch, headers)).json().accepted).toBe(50);
    const other = createIntake({ db: identity.db, logStore: logs.store, name: "other" });
    const origin = { format: "json", sender: "key:edge", batchId: "b-1" } as const;
    expect((await other.intake.accept(readJsonEvents(batch), origin)).accepted).toBe(50);
    await other.intake.close();
    expect(await listStored("s-batch")).toHaveLength(50);
  });

  it("stores a batch once if several processes receive it concurrently", async () => {
    const others = ["w-1", "w-2", "w-3"].map((name) =>
      createIntake({ db: identity.db, logStore: logs.store, name, limits: { groupMs: 5 } }),
    );
    for (let round = 0; round < 5; round += 1) {
      const events = readJsonEvents(
        `[{"message":"r${round}","source":"s-race","id":"e-${round}"},{"message":"x${round}","source":"s-race"}]`,
      );
      const origin = { format: "json", sender: "racer", batchId: `race-${round}` } as const;
      const answers = await Promise.all(
        others.flatMap(({ intake }) => [intake.accept(events, origin), intake.accept(events, origin)]),
      );
      expect(answers.map(({ accepted }) => accepted)).toEqual(Array(6).fill(2));
    }
    await Promise.all(others.map(({ intake }) => intake.close()));
    expect(await listStored("s-race")).toHaveLength(10);
  });

  it("refuses another batch under the same name, and accepts the name from another sender or for another source", async () => {
    const headers = { "x-batch-id": "b-2" };
    await ingest('{"message":"a","source":"s-name"}', headers);
    const refused = await ingest('{"message":"b","source":"s-name"}', headers);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toBe("X-Batch-Id: 'b-2' was used for another batch within the last day");
    const origin = { format: "json", sender: "another-sender", batchId: "b-2" } as const;
    await made.intake.accept(readJsonEvents('{"message":"c","source":"s-name"}'), origin);
    await ingest('{"message":"d"}', headers, "?source=s-name");
    expect(await listMessages("s-name")).toEqual(["a", "c", "d"]);
  });

  it("stores an event with an id once, whichever batches repeat it", async () => {
    await ingest('[{"id":"e1","message":"a","source":"s-id"},{"id":"e2","message":"b","source":"s-id"}]');
    const again = await ingest(
      '[{"id":"e2","message":"b","source":"s-id"},{"id":"e3","message":"c","source":"s-id"},{"id":"e3","message":"c","source":"s-id"}]',
    );
    expect(again.json()).toMatchObject({ accepted: 3, rejected: 0 });
    const found = await listStored("s-id");
    expect(found.map(({ message }) => message)).toEqual(["a", "b", "c"]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(3);
  });

  it("stores both of two events that share an id and differ in content", async () => {
    await ingest('[{"id":"1","message":"a","source":"s-same"},{"id":"1","message":"b","source":"s-same"}]');
    expect(await listMessages("s-same")).toEqual(["a", "b"]);
  });

  it("remembers batches and events for a day", async () => {
    await sql`UPDATE log_inserts SET at = now() - interval '23 hours 59 minutes'`.execute(identity.db);
    expect(await made.claims.sweep(24 * 60 * 60)).toBe(0);
    await sql`UPDATE log_inserts SET at = now() - interval '24 hours 1 minute'`.execute(identity.db);
    while ((await made.claims.sweep(24 * 60 * 60)) > 0);
    const { rows } = await sql<{ left: number }>`
      SELECT (SELECT count(*) FROM intake_batches) + (SELECT count(*) FROM intake_events) AS left`.execute(identity.db);
    expect(Number(rows[0]?.left)).toBe(0);
  });

  it("forgets the oldest named events beyond the limit, and no batch before a day has passed", async () => {
    const bodies = ["f1", "f2", "f3"].map((id) => `[{"id":"${id}","message":"${id}","source":"s-forget"}]`);
    for (const [n, body] of bodies.entries()) await ingest(body, { "x-batch-id": `forget-${n}` });
    const forgotten = [await made.claims.forgetEvents(3), await made.claims.forgetEvents(2)];
    expect([...forgotten, await made.claims.forgetEvents(2)]).toEqual([0, 1, 0]);
    const { rows } = await sql<{ events: number; batches: number }>`
      SELECT (SELECT count(*)::int FROM intake_events) AS events, (SELECT count(*)::int FROM intake_batches) AS batches
    `.execute(identity.db);
    expect(rows).toEqual([{ events: 2, batches: 3 }]);
  });

  it("splits a large request into several inserts and answers for all of them", async () => {
    const sizes: number[] = [];
    gate = async (batch) => void sizes.push(batch.length);
    const body = Array.from({ length: 25_000 }, (_, n) => `{"n":${n},"source":"s-large"}`).join("\n");
    const answers = [await ingest(body, { "x-batch-id": "large" }), await ingest(body, { "x-batch-id": "large" })];
    gate = async () => undefined;
    expect(answers.map((answer) => answer.json())).toMatchObject([{ accepted: 25_000 }, { accepted: 25_000 }]);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(25_000);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
    const where = { sql: "source = 's-large'", parameters: {} };
    const all = {
      scope: ALL_SITES,
      where,
      time: "ingested_at" as const,
      from: new Date(0),
      to: new Date("2100-01-01T00:00:00Z"),
    };
    expect(await logs.store.count(all, 100_000)).toBe(25_000);
  });
});

describe("an event that cannot be stored", () => {
  it("turns an event that cannot be stored into a dead letter, which can be read, corrected and replayed", async () => {
    const answer = await ingest(
      '{"message":"good","source":"s-dead"}\n{"message":"bad"',
      { "x-batch-id": "b-dead" },
      "?source=s-dead",
    );
    expect(answer.json()).toMatchObject({ accepted: 1, rejected: 1 });
    const [id] = answer.json().dead_letter_ids;
    const again = await ingest(
      '{"message":"good","source":"s-dead"}\n{"message":"bad"',
      { "x-batch-id": "b-dead" },
      "?source=s-dead",
    );
    expect(again.json()).toEqual(answer.json());
    const headers = await identity.bearer("admin");
    const path = `/api/v1/siem/dead-letters/${id}`;
    const shown = (await identity.app.inject({ url: path, headers })).json();
    expect(shown).toMatchObject({
      format: "json",
      sender: "key:edge",
      source: "s-dead",
      reason: "event: must be valid JSON",
      raw: '{"message":"bad"',
      is_cut: false,
    });
    const listed = (await identity.app.inject({ url: "/api/v1/siem/dead-letters?limit=1", headers })).json();
    expect(listed).toMatchObject({ items: [shown], total: 1, next_cursor: null });
    const replay = (payload: object) =>
      identity.app.inject({ method: "POST", url: `${path}/replay`, headers, payload });
    const unchanged = await replay({});
    expect(unchanged.statusCode).toBe(409);
    expect(unchanged.json().detail).toMatch(/cannot be read: event: must be valid JSON$/);
    const both = await Promise.all([replay({ raw: '{"message":"mended"}' }), replay({ raw: '{"message":"mended"}' })]);
    expect(both.map(({ statusCode }) => statusCode)).toContain(202);
    expect((await identity.app.inject({ url: path, headers })).statusCode).toBe(404);
    expect(await listMessages("s-dead")).toEqual(["good", "mended"]);
  });

  it.each([
    [
      "names it",
      (place: number) => `batch[${place}].src_port: must be an integer from 0 to 65535`,
      "src_port: must be an integer from 0 to 65535",
    ],
    ["does not name it", () => "batch: cannot be stored", "event: cannot be stored"],
  ])("isolates a bad event if the log store %s", async (what, formatReason, reason) => {
    const source = `s-bad-${what.length}`;
    gate = async (batch) => {
      const place = batch.findIndex(({ message }) => message === "poison");
      if (place >= 0) throw new Problem("invalid", formatReason(place));
    };
    const events = Array.from({ length: 100 }, (_, n) => ({
      id: `${n}`,
      message: n === 37 || n === 64 ? "poison" : `fine ${n}`,
      source,
    }));
    const answer = (await ingest(JSON.stringify(events))).json();
    gate = async () => undefined;
    expect(answer).toMatchObject({ accepted: 98, rejected: 2 });
    expect(await listStored(source)).toHaveLength(98);
    const letter = await made.deadLetters.get(ADMIN, answer.dead_letter_ids[0]);
    expect(letter).toMatchObject({ reason, raw: JSON.stringify(events[37]) });
    await made.deadLetters.replay(ADMIN, letter.id);
    expect(await listStored(source)).toHaveLength(99);
  });
});

describe("an unreachable log store", () => {
  it("causes retries, and a batch is stored once even if the response to its insert was lost", async () => {
    let failures = 0;
    gate = async (batch) => {
      failures += 1;
      if (failures === 1) throw new Problem("unavailable", "the log store does not answer");
      if (failures === 2) {
        await logs.store.insert(batch, { token: "not the writer's" });
        throw new Error("the process crashed after the insert");
      }
    };
    const body = '{"message":"once","source":"s-lost"}';
    expect((await ingest(body, { "x-batch-id": "lost" })).statusCode).toBe(500);
    expect((await ingest(body, { "x-batch-id": "lost" })).json()).toMatchObject({ accepted: 1 });
    gate = async () => undefined;
    expect(await listMessages("s-lost")).toEqual(["once"]);
  });

  it("leaves no claim of a batch that was not stored, so that a repeat of the batch is stored", async () => {
    gate = async () => {
      throw new Error("crashed before the insert");
    };
    const body = '{"message":"later","source":"s-later","id":"l1"}';
    expect((await ingest(body, { "x-batch-id": "later" })).statusCode).toBe(500);
    gate = async () => undefined;
    expect((await ingest(body, { "x-batch-id": "later" })).statusCode).toBe(202);
    expect(await listMessages("s-later")).toEqual(["later"]);
  });

  it("fills the bounded queue, which then refuses requests", async () => {
    const door = new EventEmitter();
    gate = async () => void (await once(door, "open"));
    const small = createIntake({
      db: identity.db,
      logStore: store,
      name: "small",
      limits: { queuedRows: 10, groupMs: 1 },
    });
    const one = readJsonEvents(JSON.stringify(Array(6).fill({ message: "x", source: "s-full" })));
    const origin = { format: "json", sender: "key:edge" } as const;
    const held = small.intake.accept(one, origin);
    await expect(small.intake.accept(one, origin)).rejects.toMatchObject({
      kind: "rate_limited",
      message: "the intake is full; see Retry-After",
      retryAfterSeconds: 1,
    });
    gate = async () => undefined;
    door.emit("open");
    await held;
    expect((await small.intake.accept(one, origin)).accepted).toBe(6);
    await small.intake.close();
  });
});

describe("the intake protocols of other products", () => {
  it("answers senders of the HTTP Event Collector that have a key in their header", async () => {
    const body =
      '{"event":"hello","source":"s-hec","host":"web-1","time":1763200000.5}{"event":{"message":"two"},"source":"s-hec"}';
    const answer = await post("/services/collector/event", body, { authorization: `Splunk ${key}` });
    expect([answer.statusCode, answer.json()]).toEqual([200, { text: "Success", code: 0 }]);
    expect(await listStored("s-hec")).toMatchObject([
      { message: "hello", host: "web-1", timestamp: "2025-11-15T09:46:40.500Z" },
      { message: "two" },
    ]);
    expect((await identity.app.inject("/services/collector/health")).json()).toEqual({
      text: "HEC is healthy",
      code: 17,
    });
  });

  it.each([
    ["Basic", () => `Basic ${Buffer.from(`elastic:${key}`).toString("base64")}`],
    ["ApiKey with an id", () => `ApiKey ${Buffer.from(`edge:${key}`).toString("base64")}`],
    ["ApiKey as it is", () => `ApiKey ${key}`],
  ])("answers Elastic's senders per item, with %s, and stores an _id once", async (_name, authorization) => {
    const body = '{"create":{"_index":"i","_id":"1"}}\n{"message":"bulk","source":"s-bulk"}\n{"index":{}}\n{bad\n';
    const answer = await post("/_bulk", body, { authorization: authorization() });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      errors: true,
      items: [{ create: { status: 201, _id: "1" } }, { index: { status: 400 } }],
    });
    expect(await listMessages("s-bulk")).toEqual(["bulk"]);
  });

  it("accepts OTLP as JSON", async () => {
    const record = { body: { stringValue: "otlp" }, severityNumber: 17, timeUnixNano: "1763200000500000000" };
    const resource = { attributes: [{ key: "service.name", value: { stringValue: "s-otlp" } }] };
    const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] });
    const answer = await post("/v1/logs", gzipSync(body), {
      "x-api-key": key,
      "content-type": "application/json",
      "content-encoding": "gzip",
    });
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    expect(await listStored("s-otlp")).toMatchObject([
      { message: "otlp", severity: "high", timestamp: "2025-11-15T09:46:40.500Z" },
    ]);
    const refused = await post("/v1/logs", "{", { "x-api-key": key, "content-type": "application/x-protobuf" });
    expect([refused.statusCode, refused.json().detail]).toEqual([400, "body: must be an ExportLogsServiceRequest"]);
  });
});

describe("access to the intake", () => {
  it.each([
    ["/api/v1/siem/ingest", () => ({ authorization: `Splunk ${key}` }), 401],
    [
      "/services/collector/event",
      () => ({ authorization: `Basic ${Buffer.from(`a:${key}`).toString("base64")}` }),
      401,
    ],
    ["/services/collector/event", () => ({ authorization: "Splunk soc_wrong" }), 401],
    ["/_bulk", () => ({ authorization: "Basic nonsense" }), 401],
    ["/v1/logs", () => ({}), 401],
  ])("refuses intake for %s with a wrong key or the wrong header", async (path, headers, status) => {
    expect((await post(path, "{}", headers())).statusCode).toBe(status);
  });

  it("refuses intake for a role without siem:ingest, and limits its rate separately", async () => {
    expect((await post("/api/v1/siem/ingest", "{}", await identity.bearer("noor"))).statusCode).toBe(403);
    const many = await Promise.all(Array.from({ length: 120 }, () => ingest("")));
    expect(new Set(many.map(({ statusCode }) => statusCode))).toEqual(new Set([202]));
  });

  it.each([
    ["dummy", 403],
    ["dry_run", 202],
  ] as const)("answers in %s with %i", async (mode, status) => {
    const elsewhere = await startIdentity({ url, mode });
    await register(elsewhere, made);
    const headers = { "x-api-key": key };
    const answer = await elsewhere.app.inject({
      method: "POST",
      url: "/api/v1/siem/ingest?source=s-mode",
      headers,
      payload: `{"message":"${mode}"}`,
    });
    await elsewhere.close();
    expect(answer.statusCode).toBe(status);
    expect((await listMessages("s-mode")).includes(mode)).toBe(status === 202);
  });
});
