import type { Frame } from "@kit/http/frame";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inHours } from "../../../testing/fixtures/detections-samples.ts";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { Detections } from "../module.ts";

let engine: Awaited<ReturnType<typeof startLogStore>>;
let platform: TestPlatform;
let app: Frame;
let detections: Detections;
let made = 0;

beforeAll(async () => {
  engine = await startLogStore();
  platform = await testPlatform("real");
  ({ app, detections } = await detectionsPlatform(platform, engine.store));
}, 120_000);

afterAll(async () => {
  await platform.close();
  await engine.stop();
});

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  body?: object;
  as?: string;
  ifMatch?: string;
}

async function ask(path: string, { method, body, as = "detection", ifMatch }: RequestOptions = {}) {
  const answer = await app.inject({
    method: method ?? (body ? "POST" : "GET"),
    url: `/api/v1${path}`,
    headers: { "x-role": as, ...(ifMatch !== undefined && { "if-match": ifMatch }) },
    ...(body && { payload: body }),
  });
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, headers: answer.headers };
}

function newSource(): string {
  made += 1;
  return `except-${made}`;
}

/** Stores logs that were ingested `minutes` ago. */
async function store(source: string, logs: readonly Partial<LogEvent>[], minutes = 5): Promise<LogEvent[]> {
  const at = new Date(platform.clock.now().getTime() - minutes * 60_000).toISOString();
  const stored = logs.map((log) =>
    sampleLog({ id: platform.ids.next(), source, timestamp: at, ingested_at: at, ...log }),
  );
  await engine.store.insert(stored, { token: platform.ids.next() });
  return stored;
}

async function addRule(fields: object) {
  made += 1;
  const { status, body } = await ask("/detections/rules", { body: { name: `rule ${made}`, ...fields } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

async function addException(fields: object) {
  const given = { reason: "known and harmless", expires_at: inHours(1), ...fields };
  const { status, body } = await ask("/detections/exceptions", { body: given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const getException = async (id: string) => (await ask(`/detections/exceptions/${id}`)).body;
const run = async (rule_id: string) => (await ask(`/detections/rules/${rule_id}/run`, { method: "POST" })).body;
const listAlerts = async (source: string) => (await ask(`/alerts?source=${source}`, { as: "admin" })).body.items;
const asWorkerRule = ({ id, version }: { id: string; version: number }) => ({
  ...{ id, version, source: "", condition: undefined },
});

/** The full minutes before now that contain all stored logs. */
function recentWindow() {
  const to = new Date(Math.floor(platform.clock.now().getTime() / 60_000) * 60_000);
  return { from: new Date(to.getTime() - 60 * 60_000), to };
}

describe("an exception", () => {
  const valid = { scope: "all", query: "host:never-seen", reason: "r", expires_at: inHours(1) };

  it.each([
    [{ query: "host:(" }, "query"],
    [{ query: "" }, "query"],
    [{ query: "*" }, "query"],
    [{ query: "nosuchfield:x" }, "query"],
    [{ scope: "rule" }, "rule_id"],
    [{ scope: "tag" }, "tag"],
    [{ tag: "t" }, "tag"],
    [{ scope: "everything" }, "scope"],
    [{ reason: "" }, "reason"],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ expires_at: inHours(366 * 24) }, "expires_at"],
    [{ expires_at: "soon" }, "expires_at"],
  ])("refuses an exception with %j, naming the field", async (fields, field) => {
    const { status, body } = await ask("/detections/exceptions", { body: { ...valid, ...fields } });
    expect([status, body.detail]).toEqual([400, expect.stringMatching(new RegExp(`^${field}`))]);
  });

  it("applies before a suppression, which only sees logs that are not hidden", async () => {
    const source = newSource();
    const [, , left] = await store(source, [
      { host: "kiosk-8" },
      { host: "kiosk-8" },
      { host: "kiosk-8", user: "eve" },
    ]);
    const rule = await addRule({ query: "host:kiosk-8", source });
    await addException({ scope: "rule", rule_id: rule.id, query: "NOT user:eve" });
    const path = `/detections/rules/${rule.id}/suppressions/preview`;
    const { body } = await ask(path, { body: { criteria: { host: "kiosk-8" } }, as: "admin" });
    expect(body).toMatchObject({ total: 1, would_suppress: 1, excepted_count: 2, logs: [{ id: left?.id }] });
  });

  it("hides logs of one rule: raises no alert, counts each log once, and lists it among the hidden matches", async () => {
    const source = newSource();
    const [hidden] = await store(source, [{ host: "kiosk-7" }, { host: "fin-ws-014" }]);
    const rule = await addRule({ query: "", source });
    const exception = await addException({ scope: "rule", rule_id: rule.id, query: "host:kiosk-*" });
    expect(exception).toMatchObject({ hidden: 0, last_hidden_at: null, tag: null });

    expect(await run(rule.id)).toMatchObject({ total: 1, run: { excepted_count: 1 } });
    expect(await run(rule.id)).toMatchObject({ total: 1, run: { excepted_count: 1 } });

    expect(await listAlerts(source)).toMatchObject([{ host: "fin-ws-014", occurrence_count: 1 }]);
    expect(await getException(exception.id)).toMatchObject({ hidden: 1, last_hidden_at: expect.any(String) });
    const { items } = (await ask(`/detections/rules/${rule.id}/matches?suppressed=true`)).body;
    expect(items).toMatchObject([{ log_id: hidden?.id, exception_id: exception.id, alert_id: null }]);
    const health = (await ask(`/detections/rules/${rule.id}/health`)).body;
    expect(health).toMatchObject({ matches_7d: 1, suppressed_7d: 0, excepted_7d: 1, alerts_7d: 1 });
  });

  it("applies to the rules with a tag, and to no other rule", async () => {
    const source = newSource();
    await store(source, [{ host: "lab-1" }]);
    const tag = `lab-${made}`;
    const [tagged, other] = [await addRule({ query: "", source, tags: [tag] }), await addRule({ query: "", source })];
    await addException({ scope: "tag", tag, query: "host:lab-1" });
    expect(await run(tagged.id)).toMatchObject({ total: 0, run: { excepted_count: 1 } });
    expect(await run(other.id)).toMatchObject({ total: 1, run: { excepted_count: 0 } });
  });

  it("does not capture alerts of a false positive, nor repeats", async () => {
    const source = newSource();
    await store(source, [{ host: "mail-1" }]);
    const rule = await addRule({ query: "", source });
    await run(rule.id);
    const [alert] = await listAlerts(source);
    await app.inject({
      method: "PATCH",
      url: `/api/v1/alerts/${alert.id}`,
      headers: { "x-role": "admin" },
      payload: { status: "false_positive" },
    });
    await addException({ scope: "rule", rule_id: rule.id, query: "host:mail-1" });
    await store(source, [{ host: "mail-1" }], 1);
    expect(await run(rule.id)).toMatchObject({ total: 0, run: { excepted_count: 2 } });
    expect(await listAlerts(source)).toMatchObject([{ occurrence_count: 1, suppressed_since_verdict: 0 }]);
  });

  it.each([
    ["threshold", { count: 3, group_by: ["user"], within_minutes: 60 }],
    ["new_terms", { fields: ["user"], history_days: 1 }],
    ["sequence", { steps: ["action:first", "action:second"], group_by: ["user"], within_minutes: 60 }],
  ])(
    "keeps logs out of the groups of a rule of type %s, and counts them in scheduled runs",
    async (type, threshold) => {
      const source = newSource();
      const actions = type === "sequence" ? ["first", "second", "second"] : ["first", "first", "first"];
      await store(
        source,
        actions.map((action, at) => ({ action, user: "ana", host: at === 0 ? "jump-1" : "jump-2" })),
      );
      const rule = await addRule({ query: "", source, type, threshold, schedule_enabled: true });
      expect((await ask(`/detections/rules/${rule.id}/preview`, { body: {} })).body.alert_count).toBe(1);
      const query = type === "new_terms" ? "user:ana" : "host:jump-1";
      const exception = await addException({ scope: "rule", rule_id: rule.id, query });
      const hidden = type === "new_terms" ? 3 : 1;
      const preview = (await ask(`/detections/rules/${rule.id}/preview`, { body: {} })).body;
      expect(preview).toMatchObject({ alert_count: 0, total: 0, excepted_count: hidden });
      // A manual run shows them but does not count them, because manual runs overlap.
      expect(await run(rule.id)).toMatchObject({ total: 0, run: { excepted_count: hidden } });
      expect(await getException(exception.id)).toMatchObject({ hidden: 0 });

      const window = recentWindow();
      await detections.workerRules.run(asWorkerRule(rule), window, undefined);
      await detections.workerRules.run(asWorkerRule(rule), window, undefined);
      expect(await getException(exception.id)).toMatchObject({ hidden });
      expect(await listAlerts(source)).toEqual([]);
    },
  );

  it("applies from a worker's next run on, on the stream and by schedule, and expires", async () => {
    const source = newSource();
    const rule = await addRule({ query: "", source });
    const [first, second, third] = await store(source, [{ host: "a-1" }, { host: "a-2" }, { host: "a-3" }]);
    const raise = (log: LogEvent | undefined) => detections.workerRules.raise(asWorkerRule(rule), log ? [log] : []);
    await raise(first);
    const exception = await addException({ scope: "rule", rule_id: rule.id, query: "host:a-*" });
    await raise(second);
    await raise(second);
    expect(await getException(exception.id)).toMatchObject({ hidden: 1 });
    await detections.workerRules.run(
      asWorkerRule(rule),
      recentWindow(),
      [second, third].flatMap((log) => log ?? []),
    );
    expect(await getException(exception.id)).toMatchObject({ hidden: 2 });
    expect(await listAlerts(source)).toMatchObject([{ host: "a-1" }]);

    const expired = new Date(platform.clock.now().getTime() - 1);
    await platform.db
      .updateTable("detection_exceptions")
      .set({ expires_at: expired, created_at: expired })
      .where("id", "=", exception.id)
      .execute();
    await raise((await store(source, [{ host: "a-4" }]))[0]);
    expect((await listAlerts(source)).map(({ host }: { host: string }) => host).toSorted()).toEqual(["a-1", "a-4"]);
  });

  it("does not let a flood of hidden logs displace the others", async () => {
    const source = newSource();
    await store(source, [{ host: "real-1" }], 10);
    const noise = Array.from({ length: 10_100 }, () => ({ host: "scanner-1" }));
    await store(source, noise, 5);
    const rule = await addRule({ query: "", source });
    const exception = await addException({ scope: "rule", rule_id: rule.id, query: "host:scanner-1" });
    expect((await run(rule.id)).run).toMatchObject({ status: "completed", match_count: 1 });
    expect(await listAlerts(source)).toMatchObject([{ host: "real-1" }]);
    // The limit of one run.
    expect(await getException(exception.id)).toMatchObject({ hidden: 10_000 });
  }, 60_000);

  it("previews its price: the matches of the affected rules that it would have hidden", async () => {
    const source = newSource();
    await store(source, [{ host: "price-1" }, { host: "price-1", user: "bo" }, { host: "price-2" }]);
    const tag = `price-${made}`;
    const rules = [await addRule({ query: "", source, tags: [tag] }), await addRule({ query: "user:bo", source })];
    for (const { id } of rules) await run(id);
    const [one] = (await listAlerts(source)).filter(
      ({ rule_id, host }: { rule_id: string; host: string }) => rule_id === rules[0].id && host === "price-1",
    );
    await ask(`/detections/rules/${rules[0].id}/feedback`, { body: { verdict: "true_positive", alert_id: one.id } });
    const preview = async (body: object) => (await ask("/detections/exceptions/preview", { body })).body;
    const query = `host:price-1 AND source:${source}`;
    expect(await preview({ scope: "tag", tag, query })).toMatchObject({
      ...{ total: 3, would_hide: 2, hidden_alerts: 1, hidden_true_positives: 1, is_capped: false },
      logs: [{ host: "price-1" }, { host: "price-1" }],
    });
    expect(await preview({ scope: "all", query })).toMatchObject({ would_hide: 3, hidden_alerts: 2 });
    const past = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
    expect(await preview({ scope: "rule", rule_id: rules[1].id, query, ...past })).toMatchObject({ total: 0 });
    expect(await preview({ scope: "all", query: "host:(" })).toMatchObject({ detail: expect.stringMatching(/^query/) });
  });

  it("shortens and ends an exception, and lets only one of two concurrent changes to a version succeed", async () => {
    const { id } = await addException({ scope: "all", query: "host:never-seen" });
    const { headers } = await ask(`/detections/exceptions/${id}`);
    const patch = (body: object, ifMatch?: string) =>
      ask(`/detections/exceptions/${id}`, { method: "PATCH", body, ...(ifMatch !== undefined && { ifMatch }) });
    expect((await patch({ expires_at: inHours(2) })).body.detail).toMatch(/^expires_at: must not be later/);
    expect((await patch({ query: "host:other" })).status).toBe(400);
    expect((await patch({})).body.detail).toMatch(/^body: /);
    const read = String(headers.etag);
    expect((await patch({ reason: "still" }, read)).body).toMatchObject({ reason: "still", hidden: 0 });
    expect((await patch({ reason: "other" }, read)).status).toBe(409);
    expect((await ask(`/detections/exceptions/${id}`, { method: "DELETE", ifMatch: read })).status).toBe(409);
    expect((await ask(`/detections/exceptions/${id}`, { method: "DELETE" })).body).toEqual({ deleted: true, id });
    expect((await ask(`/detections/exceptions/${id}`, { method: "DELETE" })).status).toBe(409);
    const actions = await platform.db
      .selectFrom("audit_log")
      .select("action")
      .where("subject_id", "=", id)
      .orderBy("at")
      .orderBy("id")
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(["exception.created", "exception.updated", "exception.ended"]);
  });

  it("lists exceptions by scope, rule, tag, words and activity, with pagination", async () => {
    const rule = await addRule({ query: "x" });
    const word = `word${made}`;
    const one = await addException({ scope: "rule", rule_id: rule.id, query: `host:${word}` });
    const two = await addException({ scope: "tag", tag: word, query: "host:h", reason: `Ticket ${word}` });
    const list = async (query: string) => {
      const { body } = await ask(`/detections/exceptions?${query}`);
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect(await list(`q=${word.toUpperCase()}`)).toEqual([two.id, one.id]);
    expect(await list(`q=${word}&scope=rule,tag&active=true`)).toEqual([two.id, one.id]);
    expect(await list(`q=${word}&scope=rule`)).toEqual([one.id]);
    expect(await list(`rule_id=${rule.id}`)).toEqual([one.id]);
    expect(await list(`tag=${word}`)).toEqual([two.id]);
    await ask(`/detections/exceptions/${two.id}`, { method: "DELETE" });
    expect(await list(`q=${word}&active=false`)).toEqual([two.id]);
    const page = (await ask(`/detections/exceptions?q=${word}&limit=1`)).body;
    expect(await list(`q=${word}&limit=1&cursor=${page.next_cursor}`)).toEqual([one.id]);
  });

  it("hides an exception of a private rule from other users, who cannot create one for it either", async () => {
    const rule = await addRule({ query: "x", sharing_mode: "private" });
    const exception = await addException({ scope: "rule", rule_id: rule.id, query: "host:h" });
    const given = { scope: "rule", rule_id: rule.id, query: "host:h", reason: "r", expires_at: inHours(1) };
    const path = `/detections/exceptions/${exception.id}`;
    for (const asked of [
      await ask(path, { as: "tier2" }),
      await ask(`${path}`, { as: "manager" }),
      await ask("/detections/exceptions/preview", {
        as: "tier2",
        body: { scope: "rule", rule_id: rule.id, query: "a" },
      }),
    ]) {
      expect(asked.status).toBe(404);
    }
    expect((await ask(`/detections/exceptions?rule_id=${rule.id}`, { as: "tier2" })).body.items).toEqual([]);
    expect((await ask("/detections/exceptions", { as: "tier2", body: given })).status).toBe(403);
  });

  it("omits exceptions from the rule's file, and still applies them if a deleted rule is restored", async () => {
    const source = newSource();
    await store(source, [{ host: "again-1" }]);
    const rule = await addRule({ name: `again ${made}`, query: "", source });
    const exception = await addException({ scope: "rule", rule_id: rule.id, query: "host:again-1" });
    const yaml = (await ask(`/detections/rules/export?source=${source}`)).body;
    expect(yaml).toContain(source);
    expect(yaml).not.toContain("again-1");
    await ask(`/detections/rules/${rule.id}`, { method: "DELETE" });
    expect((await ask(`/detections/exceptions/${exception.id}`)).status).toBe(404);
    expect((await ask(`/detections/exceptions/${exception.id}`, { as: "admin" })).status).toBe(200);
    const pushed = (await ask("/detections/rules/import", { body: { yaml } })).body;
    expect(pushed.items).toMatchObject([{ rule: { id: rule.id } }]);
    expect(await run(rule.id)).toMatchObject({ total: 0, run: { excepted_count: 1 } });
    expect(await getException(exception.id)).toMatchObject({ hidden: 1 });
  });
});
