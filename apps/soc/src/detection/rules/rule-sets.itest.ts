import process from "node:process";
import type { Frame } from "@kit/http/frame";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { detectionsPlatform } from "../../../testing/harness/detections-platform.ts";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";

const isFull = process.env.PROVE === "full";
const MANY = isFull ? 5000 : 600;
const SIGMA = `title: Whoami of a service
id: 5a4c6d1e-0000-4000-8000-000000000001
tags: [attack.t1033]
level: low
logsource: {product: windows, category: process_creation}
detection: {selection: {Image|endswith: whoami.exe}, condition: selection}
`;
let platform: TestPlatform;
let app: Frame;

beforeAll(async () => {
  platform = await testPlatform("real");
  ({ app } = await detectionsPlatform(platform, absentLogStore()));
}, 120_000);

afterAll(() => platform.close());

beforeEach(async () => {
  await sql`DELETE FROM detection_rules`.execute(platform.db);
});

async function ask(method: "GET" | "POST" | "PATCH", path: string, payload?: object, role = "detection") {
  const url = `/api/v1/detections${path}`;
  const answer = await app.inject({ method, url, headers: { "x-role": role }, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

async function addRule(fields: object = {}) {
  const { status, body } = await ask("POST", "/rules", { name: "rule", query: "user:absent", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

async function countVersions(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM detection_rule_versions JOIN detection_rules ON detection_rules.id = rule_id
  `.execute(platform.db);
  return rows[0]?.count ?? 0;
}

describe("many rules", () => {
  const bulk = (body: object, role?: string) => ask("POST", "/rules/bulk", body, role);

  it("changes rules by their ids, each as a new version, except those that are already in the requested state", async () => {
    const one = await addRule({ tags: ["a", "b"] });
    const other = await addRule({ tags: ["c"], enabled: false, alert_severity: "high" });
    const { status, body } = await bulk({
      ids: [one.id, other.id, one.id],
      enabled: false,
      severity: "high",
      tags_add: ["c"],
      tags_remove: ["a"],
    });
    expect([status, body]).toEqual([200, { total: 2, changed: 1, deleted: 0 }]);
    expect((await ask("GET", `/rules/${one.id}`)).body).toMatchObject({
      enabled: false,
      alert_severity: "high",
      tags: ["b", "c"],
      version: 2,
    });
    expect((await ask("GET", `/rules/${other.id}`)).body.version).toBe(1);
    const audited = await platform.db
      .selectFrom("audit_log")
      .select(["action", "details"])
      .where("subject_id", "=", one.id)
      .execute();
    expect(audited).toContainEqual({ action: "rule.updated", details: expect.objectContaining({ version: 2 }) });
  });

  it("changes the rules that match the filters of the list if there are exactly as many as expected", async () => {
    for (let at = 0; at < 3; at += 1) await addRule({ tags: ["noisy"] });
    await addRule();
    const filter = { tag: "noisy" };
    for (const expected_total of [2, 4]) {
      const { status, body } = await bulk({ filter, expected_total, enabled: false });
      expect([status, body.detail]).toEqual([409, expect.stringMatching(/^expected_total: .*nothing was changed/)]);
    }
    expect(await countVersions()).toBe(4);
    expect((await bulk({ filter, expected_total: 3, enabled: false })).body.changed).toBe(3);
    expect((await ask("GET", "/rules?enabled=false")).body.total).toBe(3);
    expect((await bulk({ filter, expected_total: 3, delete: true })).body).toEqual({
      total: 3,
      changed: 0,
      deleted: 3,
    });
    expect((await ask("GET", "/rules")).body.total).toBe(1);
  });

  it("changes no rule if one of them does not exist or cannot be changed", async () => {
    const one = await addRule();
    const hidden = await addRule({ sharing_mode: "private" });
    for (const id of ["nope", "01920000-0000-7000-8000-000000000000"]) {
      const { status, body } = await bulk({ ids: [one.id, id], enabled: false });
      expect([status, body.detail]).toEqual([409, `ids: rule '${id}' does not exist; nothing was changed`]);
    }
    expect((await bulk({ ids: [one.id, hidden.id], delete: true }, "tier3")).status).toBe(409);
    const tags_add = Array.from({ length: 50 }, (_, at) => `t${at}`);
    await ask("PATCH", `/rules/${hidden.id}`, { tags: ["mine"] });
    const { status, body } = await bulk({ ids: [one.id, hidden.id], tags_add });
    expect([status, body.detail]).toEqual([400, `tags_add: rule '${hidden.id}' would have more than 50 tags`]);
    expect((await ask("GET", `/rules/${one.id}`)).body.version).toBe(1);
  });

  it.each([
    [{ ids: ["a"] }, /^body: /],
    [{ enabled: true }, /^ids: /],
    [{ ids: ["a"], filter: {}, expected_total: 1, enabled: true }, /^filter: /],
    [{ filter: {}, enabled: true }, /^expected_total: /],
    [{ filter: { tags: "x" }, expected_total: 0, enabled: true }, /^filter: rules cannot be filtered by 'tags'/],
    [{ filter: { tag: 7, type: "no" }, expected_total: 0, enabled: true }, /^filter/],
    [{ ids: ["a"], expected_total: 1, enabled: true }, /^expected_total: /],
    [{ ids: ["a"], delete: true, enabled: true }, /^enabled: /],
    [{ ids: [], enabled: true }, /^ids/],
  ])("refuses a change of many rules for %j", async (body, why) => {
    const answer = await bulk(body);
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringMatching(why)]);
  });

  it("refuses to enable rules if one of them would match everything", async () => {
    const { id } = await addRule({ enabled: false });
    await platform.db.updateTable("detection_rules").set({ query: "" }).where("id", "=", id).execute();
    expect((await bulk({ ids: [id], enabled: true })).body.detail).toMatch(/^query: /);
  });

  it(`changes ${MANY} rules at once, with versions, audit entries and events for each`, async () => {
    const first = await addRule({ tags: ["many"] });
    for (let made = 1; made < MANY; made += 100) {
      await sql`INSERT INTO detection_rules SELECT made.*
        FROM detection_rules AS rule, generate_series(1, ${sql.lit(Math.min(100, MANY - made))}) AS place,
          LATERAL jsonb_populate_record(rule, jsonb_build_object('id', gen_random_uuid(), 'place', place)) AS made
        WHERE rule.id = ${first.id}`.execute(platform.db);
    }
    const before = await countVersions();
    const began = platform.clock.monotonicMs();
    const { body } = await bulk({ filter: { tag: "many" }, expected_total: MANY, enabled: false, tags_add: ["off"] });
    const tookMs = platform.clock.monotonicMs() - began;
    console.log(`${MANY} rules changed in ${Math.round(tookMs)} ms`);
    expect(body).toEqual({ total: MANY, changed: MANY, deleted: 0 });
    expect((await countVersions()) - before).toBe(MANY);
    const { rows } = await sql<{ audited: number; events: number }>`SELECT
      (SELECT count(*)::int FROM audit_log WHERE action = 'rule.updated' AND subject_id IN
        (SELECT id::text FROM detection_rules)) AS audited,
      (SELECT count(*)::int FROM outbox WHERE type = 'rule.updated' AND subject_id IN
        (SELECT id::text FROM detection_rules)) AS events`.execute(platform.db);
    expect(rows).toEqual([{ audited: MANY, events: MANY }]);
    if (isFull) expect(tookMs).toBeLessThan(30_000);
  });
});

describe("the versions of a rule", () => {
  const diff = (id: string, from: number | string, to: number | string, role?: string) =>
    ask("GET", `/rules/${id}/versions/${from}/diff/${to}`, undefined, role);
  const restore = (id: string, version: number, role?: string) =>
    ask("POST", `/rules/${id}/versions/${version}/restore`, undefined, role);

  it("compares versions of a rule field by field and line by line", async () => {
    const { id } = await addRule({ tags: ["a"] });
    await ask("PATCH", `/rules/${id}`, { query: "user:other", alert_severity: "high" });
    const { status, body } = await diff(id, 1, 2);
    expect([status, body.fields]).toEqual([
      200,
      [
        { name: "query", from: "user:absent", to: "user:other" },
        { name: "alert_severity", from: "medium", to: "high" },
      ],
    ]);
    expect(body.unified).toContain("-query: user:absent\n+query: user:other\n");
    expect(body.unified).toContain("-alert_severity: medium\n+alert_severity: high\n");
    expect((await diff(id, 2, 2)).body).toEqual({ fields: [], unified: "" });
  });

  it("distinguishes changes of users to an imported rule from those of a newer base", async () => {
    const { id } = (await ask("POST", "/rules/import", { yaml: SIGMA })).body.items[0].rule;
    await ask("PATCH", `/rules/${id}`, { alert_severity: "high" });
    await ask("POST", "/rules/import", { yaml: SIGMA.replace("whoami.exe", "id.exe") });
    expect((await diff(id, 1, 2)).body.unified).toContain("+alert_severity: high\n");
    const { fields, unified } = (await diff(id, 2, 3)).body;
    expect(fields.map(({ name }: { name: string }) => name)).toEqual(["sigma_yaml"]);
    expect(unified).toMatch(/^-.*whoami\.exe.*\n\+.*id\.exe/m);
  });

  it("restores an old version of a rule as a new one", async () => {
    const { id } = await addRule({ tags: ["a"] });
    await ask("PATCH", `/rules/${id}`, {
      query: "user:other",
      type: "threshold",
      threshold: { count: 3 },
      schedule_enabled: true,
    });
    const { status, body } = await restore(id, 1);
    expect([status, body.version, body.query, body.type]).toEqual([200, 3, "user:absent", "query"]);
    expect((await diff(id, 1, 3)).body).toEqual({ fields: [], unified: "" });
    expect((await restore(id, 1)).body.version).toBe(3);
  });

  it("answers 404 for a version that does not exist or belongs to a hidden rule", async () => {
    const { id } = await addRule({ sharing_mode: "private" });
    expect((await diff(id, 1, 9)).status).toBe(404);
    expect((await diff(id, 1, 0)).status).toBe(400);
    expect((await diff(id, 1, "x")).status).toBe(400);
    expect((await restore(id, 2)).status).toBe(404);
    expect((await diff(id, 1, 1, "tier3")).status).toBe(404);
    expect((await restore(id, 1, "tier3")).status).toBe(404);
    expect((await restore(id, 1, "tier1")).status).toBe(403);
  });

  it("restores the sharing of a rule only for its author or an administrator", async () => {
    const { id } = await addRule({ sharing_mode: "private" });
    await ask("PATCH", `/rules/${id}`, { sharing_mode: "team" });
    expect((await restore(id, 1, "tier3")).status).toBe(403);
    expect((await restore(id, 1)).body.sharing_mode).toBe("private");
  });

  it("refuses to restore a version that matches everything according to the current checks", async () => {
    const { id } = await addRule();
    await sql`INSERT INTO detection_rule_versions
      SELECT gen_random_uuid(), rule_id, 9, rule || '{"query": ""}', changed_by, changed_at
      FROM detection_rule_versions WHERE rule_id = ${id}`.execute(platform.db);
    expect((await restore(id, 9)).body.detail).toMatch(/^query: /);
  });
});
