import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { auditRoutes } from "./audit.routes.ts";
import { createAuditService } from "./audit.service.ts";
import { createAuditStore } from "./audit.store.ts";
import { createEntriesStore, createShowcaseEntriesStore } from "./entries.store.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-02-01T00:00:00Z");
const ENTRIES = 2500;

let platform: TestPlatform;
let app: Awaited<ReturnType<typeof featureApp>>;

async function createApp(on: TestPlatform) {
  const { db, runtime, clock } = on;
  const showcase = createShowcaseEntriesStore(buildShowcase(clock.now()).audit);
  return featureApp(
    on,
    auditRoutes(createAuditService({ runtime, stores: { database: createEntriesStore(db), showcase } })),
  );
}

const at = (minute: number) => new Date(START + minute * MINUTE).toISOString();
const list = async (query: string) => (await app.inject(`/api/v1/audit?${query}`)).json();

// One entry per minute; every tenth by sara, every third about a case, and two at each instant.
beforeAll(async () => {
  platform = await testPlatform("real");
  app = await createApp(platform);
  const rows = Array.from({ length: ENTRIES }, (_, index) => ({
    id: platform.ids.next(),
    at: new Date(START + Math.floor(index / 2) * MINUTE),
    actor: index % 10 === 0 ? "sara" : "noor",
    action: index % 3 === 0 ? "case.updated" : "alert.created",
    subject_type: index % 3 === 0 ? "case" : "alert",
    subject_id: `s${index}`,
    details: { index },
  }));
  for (let from = 0; from < ENTRIES; from += 500) {
    await platform.db
      .insertInto("audit_log")
      .values(rows.slice(from, from + 500))
      .execute();
  }
});
afterAll(() => platform.close());

describe("GET /audit", () => {
  it("returns complete entries, newest first", async () => {
    const { items, total } = await list("limit=1");
    expect(total).toBe(2500);
    expect(items[0]).toEqual({
      id: expect.any(String),
      at: at(1249),
      actor: "noor",
      action: expect.any(String),
      subject_type: expect.any(String),
      subject_id: expect.stringMatching(/^s249[89]$/),
      details: { index: expect.any(Number) },
    });
  });

  it.each([
    ["actor=sara", 250],
    ["action=case.updated", 834],
    ["subject_type=case", 834],
    ["subject_id=s77", 1],
    ["subject_type=alert&subject_id=s78", 0],
    ["actor=sara&action=case.updated", 84],
    [`from=${at(10)}&to=${at(12)}`, 4],
    [`from=${at(1249)}`, 2],
    ["from=2026-02-01T01:10:00%2B01:00&to=2026-02-01T01:12:00%2B01:00", 4],
  ])("filters by %s", async (query, expected) => {
    const { items, total } = await list(query);
    expect(total).toBe(expected);
    expect(items).toHaveLength(Math.min(expected, 50));
  });

  it("returns every entry exactly once across pages, even if entries share an instant", async () => {
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await list(`limit=199${cursor}`);
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toHaveLength(ENTRIES);
    expect(new Set(seen).size).toBe(ENTRIES);
  });

  it.each(["limit=201", "from=yesterday", "from=2026-06-30T23:59:60Z", "cursor=bm9uc2Vuc2U", "actor=", "actor=%00"])(
    "refuses the query %s",
    async (query) => {
      expect((await app.inject(`/api/v1/audit?${query}`)).statusCode).toBe(400);
    },
  );

  it("returns the entry that a change has recorded", async () => {
    const store = createAuditStore(platform.ids);
    const change = { actor: "amina", action: "site.created", subject_type: "site", subject_id: "x", details: { a: 1 } };
    await platform.db.transaction().execute((tx) => store.record(tx, change));
    expect(await list("actor=amina")).toMatchObject({ total: 1, items: [change] });
  });
});

describe("GET /audit/export", () => {
  it("returns one document per line, oldest first, beyond the size of a page", async () => {
    const exported = await app.inject(`/api/v1/audit/export?from=${at(0)}&to=${at(1250)}`);
    expect(exported.statusCode).toBe(200);
    expect(exported.headers["content-type"]).toBe("application/x-ndjson");
    const lines = exported.body
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(ENTRIES);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(ENTRIES);
    const times = lines.map((line) => Date.parse(line.at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(lines[0]).toMatchObject({ at: at(0), details: { index: expect.any(Number) } });
  });

  it("accepts the filters of the list, and returns nothing if no entry matches", async () => {
    const exported = await app.inject("/api/v1/audit/export?actor=sara&action=case.updated");
    expect(exported.body.trimEnd().split("\n")).toHaveLength(84);
    expect((await app.inject("/api/v1/audit/export?actor=unknown")).body).toBe("");
  });

  it("escapes text in CSV that a spreadsheet would run as a formula", async () => {
    const entry = {
      actor: '=HYPERLINK("x")',
      action: "-1+1",
      subject_type: "@a",
      subject_id: "+b",
      details: { a: "=c" },
    };
    await createAuditStore(platform.ids).record(platform.db, entry);
    const exported = await app.inject(`/api/v1/audit/export?format=csv&actor=${encodeURIComponent(entry.actor)}`);
    expect(exported.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const [head, line, end] = exported.body.split("\r\n");
    expect(head).toBe("id,at,actor,action,subject_type,subject_id,details");
    expect(line).toMatch(/^[0-9a-f-]{36},\d{4}-.{19},"'=HYPERLINK\(""x""\)",'-1\+1,'@a,'\+b,"\{""a"":""=c""\}"$/);
    expect(end).toBe("");
    expect((await app.inject("/api/v1/audit/export?format=csv&actor=unknown")).body).toBe(`${head}\r\n`);
    expect((await app.inject("/api/v1/audit/export?format=xml")).statusCode).toBe(400);
  });
});

describe("GET /audit without a database", () => {
  it("returns and exports the showcase in dummy mode", async () => {
    const dummy = await testPlatform("dummy", "none");
    const showing = await createApp(dummy);
    const { items, total } = (await showing.inject("/api/v1/audit?action=case.created")).json();
    expect(total).toBe(4);
    expect(items[0].at > items[3].at).toBe(true);
    const lines = (await showing.inject("/api/v1/audit/export?action=case.created")).body.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(items.toReversed());
    await dummy.close();
  });

  it("answers list and export with 503 in real mode", async () => {
    const real = await testPlatform("real", "none");
    const refusing = await createApp(real);
    expect((await refusing.inject("/api/v1/audit")).statusCode).toBe(503);
    expect((await refusing.inject("/api/v1/audit/export")).statusCode).toBe(503);
    await real.close();
  });
});
