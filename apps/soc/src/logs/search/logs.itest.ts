import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIELDS =
  "id timestamp ingested_at site source host severity event_code action outcome user src_ip dst_ip src_port dst_port process message raw attributes timestamp_origin".split(
    " ",
  );

let platform: TestPlatform;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let app: Awaited<ReturnType<typeof siemApp>>;
let start: number;

const ago = (ms: number) => new Date(start - ms).toISOString();
const encode = (query: string) => `query=${encodeURIComponent(query)}`;
const ask = (query: string, role = "admin") =>
  app.inject({ url: `/api/v1/siem/logs?${query}`, headers: { "x-role": role } });
const listMessages = async (query: string) => {
  const answered = await ask(query);
  if (answered.statusCode !== 200) throw new Error(answered.body);
  return answered.json().items.map(({ message }: LogEvent) => message);
};

const WHOLE: LogEvent = {
  id: "01980000-0000-7000-8000-000000000001",
  timestamp: "",
  timestamp_origin: "event",
  ingested_at: "",
  site: "Head office",
  source: "sshd",
  host: "SRV-7",
  severity: "high",
  event_code: "4625",
  action: "sign-in",
  outcome: "failure",
  user: "root",
  src_ip: "203.0.113.9",
  dst_ip: "192.0.2.7",
  src_port: 50_022,
  dst_port: 22,
  process: "sshd",
  message: "Failed password for root",
  raw: '<38>Failed password for root "\\ \u0007 é 漢 🔒',
  attributes: { tries: 3, client: { name: "libssh", tags: ["a", "b"] }, elevated: true },
};

beforeAll(async () => {
  platform = await testPlatform("real");
  logs = await startLogStore();
  app = await siemApp(platform, { logStore: logs.store });
  start = platform.clock.now().getTime();
  const batch = [
    { ...WHOLE, timestamp: ago(MINUTE), ingested_at: ago(MINUTE - 500) },
    sampleLog({ id: "b", timestamp: ago(2 * MINUTE), source: "nginx", host: "web-1", message: "GET /admin 403" }),
    sampleLog({ id: "c", timestamp: ago(3 * HOUR), source: "nginx", host: "web-2", severity: "low", message: "ok" }),
    sampleLog({ id: "d", timestamp: ago(30 * HOUR), source: "sshd", host: "srv-7", message: "older than a day" }),
    sampleLog({ id: "e", timestamp: ago(-HOUR), source: "sshd", message: "from the future" }),
  ];
  await logs.store.insert(batch, { token: "first" });
});

afterAll(async () => {
  await logs.stop();
  await platform.close();
});

describe("GET /siem/logs", () => {
  it("returns the newest logs of the last 24 hours with all fields", async () => {
    const answered = (await ask("")).json();
    expect(Object.keys(answered)).toEqual(["items", "total", "skip", "limit", "next_cursor"]);
    expect(answered).toMatchObject({ total: 3, skip: 0, limit: 50, next_cursor: null });
    expect(answered.items.map(({ id }: LogEvent) => id)).toEqual([WHOLE.id, "b", "c"]);
    expect(Object.keys(answered.items[0])).toEqual(FIELDS);
    expect(answered.items[0]).toEqual({
      ...WHOLE,
      timestamp: ago(MINUTE),
      ingested_at: ago(MINUTE - 500),
    });
  });

  it.each([
    ["source=nginx", ["GET /admin 403", "ok"]],
    ["host=srv-7", ["Failed password for root"]],
    ["severity=low", ["ok"]],
    ["source=NGINX&host=WEB-2", ["ok"]],
    ["source=ngin*", []],
    [encode("failed password"), ["Failed password for root"]],
    [encode("漢 🔒"), ["Failed password for root"]],
    [encode("message:漢"), []],
    [encode("src_port:0"), []],
    [encode("NOT src_port:* AND source:nginx"), ["GET /admin 403", "ok"]],
    [encode("src_ip:203.0.113.0/24 AND dst_port:[1 TO 1024]"), ["Failed password for root"]],
    [encode("attributes.client.tags:b"), ["Failed password for root"]],
    [encode("source:nginx OR severity:high"), ["Failed password for root", "GET /admin 403", "ok"]],
    [`${encode("source:nginx OR severity:high")}&host=web-1`, ["GET /admin 403"]],
    [encode("timestamp:>=now-10m"), ["Failed password for root", "GET /admin 403"]],
    ["query=", ["Failed password for root", "GET /admin 403", "ok"]],
  ])("finds by %s", async (query, messages) => {
    expect(await listMessages(query)).toEqual(messages);
  });

  it("searches from `from`, inclusive, to `to`, exclusive", async () => {
    expect(await listMessages(`from=${ago(40 * HOUR)}&to=${ago(20 * HOUR)}`)).toEqual(["older than a day"]);
    expect(await listMessages(`from=${ago(30 * HOUR)}&to=${ago(3 * HOUR)}`)).toEqual(["older than a day"]);
    expect(await listMessages(`to=${ago(20 * HOUR)}`)).toEqual(["older than a day"]);
    expect(await listMessages(`from=${ago(3 * HOUR)}`)).toHaveLength(3);
    expect(await listMessages("from=now-1h")).toEqual(["Failed password for root", "GET /admin 403"]);
    expect(await listMessages("from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z")).toHaveLength(5);
  });

  it.each([
    ["limit=201", /^limit: must be an integer from 1 to 200$/],
    ["skip=100001", /^skip: must be an integer from 0 to 100000$/],
    ["severity=grave", /^severity: must be one of critical, /],
    ["source=", /^source: /],
    [
      "from=yesterday",
      /^from: must be an instant, a day such as 2026-05-31, or a time such as now-1h, not 'yesterday'$/,
    ],
    ["to=2026-06-30T23:59:60Z", /^to: must be an instant, .* not '2026-06-30T23:59:60Z'$/],
    ["from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", /^from: must be earlier than to$/],
    [encode("failed AND (user:root"), /^query: a parenthesis is not closed, at character 12$/],
    [encode("hosts:srv-7"), /^query: there is no field 'hosts' \(the closest is 'host'\), at character 1$/],
    ["cursor=nonsense", /^cursor: must come from this list with the same order$/],
    [`cursor=${Buffer.from('["-timestamp","today","x","now"]').toString("base64url")}`, /^cursor: /],
    [`cursor=${Buffer.from('["-timestamp",1,2,3]').toString("base64url")}`, /^cursor: /],
  ])("refuses %s and names the reason", async (query, why) => {
    const refused = await ask(query);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toMatch(why);
    expect(Object.keys(refused.json())).toEqual(["detail"]);
  });

  it("refuses a query that is too long and names the position", async () => {
    const refused = await ask(encode("x".repeat(4097)));
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toMatch(/^query: .*4096 characters, at character 4097$/);
  });

  it.each(["auditor", "tier1", "agent"])("allows every reading role: %s", async (role) => {
    expect((await ask("", role)).statusCode).toBe(200);
  });

  it("pages without gaps or duplicates while logs arrive", async () => {
    const count = 3000;
    // Twenty logs per millisecond, so that most pages end among logs with the same instant.
    const made = Array.from({ length: count }, (_, number) =>
      sampleLog({
        id: `page-${String(number).padStart(5, "0")}`,
        timestamp: ago(2 * HOUR + Math.floor(number / 20)),
        source: "paged",
      }),
    );
    await logs.store.insert(made, { token: "paged" });
    const seen: string[] = [];
    let cursor = "";
    let late = 0;
    do {
      const page = (await ask(`source=paged&limit=199${cursor}`)).json();
      seen.push(...page.items.map(({ id }: LogEvent) => id));
      late += 1;
      // Newer than all, as old as the first page, and between two logs that were already read.
      const coming = [-1, 2 * HOUR, 2 * HOUR + 3].map((ms, place) =>
        sampleLog({ id: `late-${late}-${place}`, timestamp: ago(ms), source: "paged" }),
      );
      await logs.store.insert(coming, { token: `late-${late}` });
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    const ours = seen.filter((id) => id.startsWith("page-"));
    // Newest first, and within a millisecond by id.
    const expected = Array.from({ length: count / 20 }, (_, ms) => made.slice(ms * 20, ms * 20 + 20).toReversed());
    expect(ours).toEqual(expected.flat().map(({ id }) => id));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("keeps the 24 hours of the first page for later pages", async () => {
    const now = platform.clock.now().getTime();
    const at = (ms: number) => new Date(now - ms).toISOString();
    const leaving = [
      sampleLog({ id: "stays", timestamp: at(MINUTE), source: "leaving" }),
      sampleLog({ id: "leaves", timestamp: at(24 * HOUR - 1500), source: "leaving" }),
    ];
    await logs.store.insert(leaving, { token: "leaving" });
    const first = (await ask("source=leaving&limit=1")).json();
    expect(first).toMatchObject({ total: 2, items: [{ id: "stays" }] });
    await platform.clock.sleep(2000);
    const second = (await ask(`source=leaving&limit=1&cursor=${first.next_cursor}`)).json();
    expect(second).toMatchObject({ total: 2, items: [{ id: "leaves" }], next_cursor: null });
    expect((await ask("source=leaving")).json().total).toBe(1);
  });

  it("counts exactly up to 10,000 and marks a larger total as an estimate", async () => {
    const made = (count: number, source: string) =>
      Array.from({ length: count }, (_, number) =>
        sampleLog({ id: `${source}-${number}`, timestamp: ago(HOUR + number), source }),
      );
    await logs.store.insert(made(10_000, "exact"), { token: "exact" });
    await logs.store.insert(made(10_001, "more"), { token: "more" });
    const exact = (await ask("source=exact&limit=1&skip=9999")).json();
    expect(exact).toMatchObject({ total: 10_000, items: { length: 1 }, next_cursor: null });
    expect(exact).not.toHaveProperty("total_is_estimate");
    const more = (await ask("source=more&limit=1")).json();
    expect(more).toMatchObject({ total: 10_001, total_is_estimate: true });
  });
});

describe("GET /siem/logs/{log_id}", () => {
  it("returns the log, whatever time its id encodes", async () => {
    for (const id of [WHOLE.id, WHOLE.id.toUpperCase(), "d", "e"]) {
      const answered = await app.inject(`/api/v1/siem/logs/${id}`);
      expect(answered.statusCode).toBe(200);
      expect(answered.json().id).toBe(id === "d" || id === "e" ? id : WHOLE.id);
    }
    const id = platform.ids.next();
    const recent = sampleLog({ id, ingested_at: platform.clock.now().toISOString(), message: "just now" });
    await logs.store.insert([recent], { token: id });
    const unknown = { site: null, host: null, event_code: null, action: null, outcome: null, user: null };
    const noAddress = { src_ip: null, dst_ip: null, src_port: null, dst_port: null, process: null };
    const answered = (await app.inject(`/api/v1/siem/logs/${id}`)).json();
    expect(answered).toEqual({ ...recent, ...unknown, ...noAddress });
  });

  it("searches first around the time that the id encodes", async () => {
    const id = platform.ids.next();
    const at = (ms: number) => new Date(platform.clock.now().getTime() + ms).toISOString();
    // A search over all time would find the newer log first.
    const newer = sampleLog({ id, ingested_at: at(48 * HOUR), message: "elsewhere" });
    const near = sampleLog({ id, ingested_at: at(0), message: "near" });
    await logs.store.insert([newer, near], { token: id });
    expect((await app.inject(`/api/v1/siem/logs/${id}`)).json().message).toBe("near");
  });

  it.each(["nope", "01980000-0000-7000-8000-00000000dead", "ffffffff-ffff-7fff-bfff-ffffffffffff", "a'b\\"])(
    "answers 404 for %s",
    async (id) => {
      const refused = await app.inject(`/api/v1/siem/logs/${encodeURIComponent(id)}`);
      expect(refused.statusCode).toBe(404);
      expect(refused.json()).toEqual({ detail: `log '${id}' does not exist` });
    },
  );
});

describe("GET /siem/logs/export", () => {
  const exported = (query: string) => app.inject(`/api/v1/siem/logs/export?${query}`);

  it("streams one JSON document per line, newest first, beyond one page", async () => {
    const answered = await exported("source=exact");
    expect(answered.headers).toMatchObject({
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="logs.ndjson"',
      "x-limit": "100000",
      "x-is-complete": "true",
    });
    const lines = answered.body
      .trimEnd()
      .split("\n")
      .map((line): LogEvent => JSON.parse(line));
    expect(lines.map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, number) => `exact-${number}`));
  });

  it("returns a log in the same form as the search", async () => {
    const { items } = (await ask("host=srv-7")).json();
    expect(JSON.parse((await exported("host=srv-7")).body)).toEqual(items[0]);
  });

  it("writes CSV as in RFC 4180, with a header line", async () => {
    const answered = await exported("host=srv-7&format=csv");
    expect(answered.headers["content-type"]).toBe("text/csv; charset=utf-8; header=present");
    const [head, row, end] = answered.body.split("\r\n");
    expect(head).toBe(FIELDS.join(","));
    expect(row).toContain(',22,sshd,Failed password for root,"<38>Failed password for root ""\\');
    expect(end).toBe("");
  });

  it("ends an export at its limit and reports that there is more", async () => {
    const answered = await exported("source=more&limit=10000&format=csv");
    expect(answered.headers).toMatchObject({ "x-limit": "10000", "x-is-complete": "false" });
    expect(answered.body.trimEnd().split("\r\n")).toHaveLength(10_001);
    expect((await exported("source=more&limit=10001")).headers["x-is-complete"]).toBe("true");
  });

  it.each([
    ["limit=1000001", /^limit: must be an integer from 1 to 1000000$/],
    ["format=xml", /^format: must be one of ndjson, csv$/],
    [encode("("), /^query: .*, at character /],
  ])("refuses %s", async (query, why) => {
    const refused = await exported(query);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toMatch(why);
  });
});

describe("GET /siem/sources", () => {
  it("returns the stored logs and the intake counters of each source, by name", async () => {
    const silent_since = new Date("2026-11-01T00:00:00Z");
    const counters = new Map([
      ["sshd", { received: 9, stored: 7, rejected: 2, late: 1, silent_since: null }],
      ["quiet", { received: 4, stored: 0, rejected: 4, late: 0, silent_since }],
    ]);
    const settings = new Map([["quiet", { watch: false, timezone: "Europe/Berlin" }]]);
    const intake = { counters: async () => counters, settings: async () => settings };
    const counting = await siemApp(platform, { logStore: logs.store, intake });
    const answered = (await counting.inject("/api/v1/siem/sources")).json();
    const names = answered.items.map(({ source }: { source: string }) => source);
    expect(names).toEqual(names.toSorted());
    expect(answered).toMatchObject({ total: names.length, skip: 0, limit: 50, next_cursor: null });
    const findSource = (name: string) => answered.items.find(({ source }: { source: string }) => source === name);
    expect(findSource("sshd")).toEqual({
      source: "sshd",
      events: 3,
      first_seen: ago(30 * HOUR),
      last_seen: ago(-HOUR),
      received: 9,
      stored: 7,
      rejected: 2,
      late: 1,
      silent_since: null,
      watch: true,
      timezone: null,
    });
    expect(findSource("quiet")).toEqual({
      source: "quiet",
      events: 0,
      first_seen: null,
      last_seen: null,
      received: 4,
      stored: 0,
      rejected: 4,
      late: 0,
      silent_since: silent_since.toISOString(),
      watch: false,
      timezone: "Europe/Berlin",
    });
    expect(findSource("nginx")).toMatchObject({ events: 2, received: 0, silent_since: null });
    const first = (await counting.inject("/api/v1/siem/sources?limit=2")).json();
    const rest = (await counting.inject(`/api/v1/siem/sources?cursor=${first.next_cursor}`)).json();
    expect([...first.items, ...rest.items]).toEqual(answered.items);
    expect((await counting.inject("/api/v1/siem/sources?limit=201")).statusCode).toBe(400);
  });
});

describe("GET /siem/stats", () => {
  it("returns every statistic", async () => {
    const now = platform.clock.now().toISOString();
    const fresh = Array.from({ length: 120 }, (_, number) =>
      sampleLog({ id: `fresh-${number}`, timestamp: now, ingested_at: now, source: "fresh", severity: "critical" }),
    );
    const old = Array.from({ length: 300 }, (_, number) =>
      sampleLog({ id: `old-${number}`, timestamp: "2020-01-01T00:00:00.000Z", ingested_at: now, source: "imported" }),
    );
    await logs.store.insert([...fresh, ...old], { token: "fresh" });
    const stats = (await app.inject("/api/v1/siem/stats")).json();
    expect(Object.keys(stats)).toEqual([
      "total_events",
      "events_24h",
      "events_per_second",
      "by_severity",
      "by_source",
      "ingest_lag_s",
      "storage_bytes",
    ]);
    expect(stats.by_severity).toMatchObject({ critical: 120, high: 1, medium: 0 });
    expect(stats.by_source).toMatchObject({ fresh: 120, exact: 10_000, nginx: 2 });
    const total = Object.values<number>(stats.by_severity).reduce((sum, each) => sum + each, 0);
    expect(stats.total_events).toBe(total);
    expect(stats.events_24h).toBeGreaterThanOrEqual(120);
    expect(stats.events_per_second).toBeGreaterThanOrEqual(2);
    expect(stats.storage_bytes).toBeGreaterThan(10_000);
    // An import of old logs does not count as lag.
    expect(stats.ingest_lag_s).toBeLessThan(60);
  });
});

describe("GET /siem/query/completion", () => {
  it("returns fields, operators and values whose examples are valid queries", async () => {
    const { fields, operators } = (await app.inject("/api/v1/siem/query/completion")).json();
    expect(fields.map(({ name }: { name: string }) => name)).toEqual([
      ...FIELDS.filter((name) => name !== "attributes"),
      "attributes.",
    ]);
    expect(fields[6]).toMatchObject({
      name: "severity",
      type: "severity",
      values: ["critical", "high", "medium", "low", "info"],
    });
    const examples = [...fields.flatMap((field: { examples: string[] }) => field.examples)];
    for (const { example } of operators) examples.push(example);
    for (const example of examples) expect((await ask(`${encode(example)}&limit=1`)).statusCode, example).toBe(200);
  }, 60_000);
});
