import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { siemApp } from "../../../testing/harness/siem-app.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { sampleLog, startLogStore } from "../../../testing/servers/log-engine.ts";
import { STORED_LOG_ID } from "../../../testing/servers/shared-log-store.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import type { Mode } from "../../foundation/runtime/runtime.schema.ts";
import type { LogStore } from "../../ports/log-store.ts";

let platform: TestPlatform;
let logStore: LogStore;

beforeAll(async () => {
  const { store, stop } = await startLogStore();
  logStore = store;
  await store.insert([sampleLog({ id: STORED_LOG_ID, message: "stored" })], { token: "stored" });
  return stop;
});

afterEach(() => platform.close());

async function start(mode: Mode, database: "fresh" | "none" = "fresh", logs = logStore) {
  platform = await testPlatform(mode, database);
  return siemApp(platform, { logStore: logs });
}

const HUNT = { title: "All", sharing_mode: "team" };
const READS = ["logs", `logs/${STORED_LOG_ID}`, "logs/export", "hunts", "sources", "stats"];
const HUNT_ROW = {
  id: "0197f000-0000-7000-8000-0000000000aa",
  title: "Kept",
  description: "",
  query: "",
  source: null,
  severity: null,
  host: null,
  sharing_mode: "team" as const,
  shared_with_roles: [],
  tags: [],
  created_by: "tier2",
  created_at: new Date("2026-01-01T00:00:00Z"),
  updated_at: new Date("2026-01-01T00:00:00Z"),
};
const CHANGES = [
  ["POST", "hunts", HUNT],
  ["PATCH", `hunts/${HUNT_ROW.id}`, { title: "Other" }],
  ["DELETE", `hunts/${HUNT_ROW.id}`, undefined],
  ["POST", `logs/${STORED_LOG_ID}/promote`, { create_case: true }],
] as const;

async function readRows() {
  const tables = ["hunts", "alerts", "cases", "audit_log", "outbox"] as const;
  return Promise.all(tables.map((table) => platform.db.selectFrom(table).selectAll().execute()));
}

describe("the SIEM in dry_run", () => {
  it("previews each change and stores nothing", async () => {
    const app = await start("dry_run");
    await platform.db.insertInto("hunts").values(HUNT_ROW).execute();
    const before = await readRows();
    const previews = [];
    for (const [method, path, payload] of CHANGES) {
      const answered = await app.inject({ method, url: `/api/v1/siem/${path}`, ...(payload && { payload }) });
      expect(answered.statusCode, `${method} ${path}`).toBe(200);
      previews.push(answered.json());
    }
    expect(previews).toMatchObject([
      { dry_run: true, preview: { ...HUNT, created_by: "admin" } },
      { dry_run: true, preview: { title: "Other" } },
      { dry_run: true, preview: { deleted: true, id: HUNT_ROW.id } },
      {
        dry_run: true,
        preview: { alert: { title: "stored on test", status: "investigating" }, case: { status: "open" } },
      },
    ]);
    expect(await readRows()).toEqual(before);
  });

  it("searches and runs hunts, which change nothing", async () => {
    const app = await start("dry_run");
    await platform.db.insertInto("hunts").values(HUNT_ROW).execute();
    for (const path of READS) expect((await app.inject(`/api/v1/siem/${path}`)).statusCode, path).toBe(200);
    const ran = await app.inject({ method: "POST", url: `/api/v1/siem/hunts/${HUNT_ROW.id}/run` });
    expect(ran.json()).toMatchObject({ hunt: { title: "Kept" } });
  });
});

describe("the SIEM in dummy mode", () => {
  it.each(CHANGES)("blocks %s %s", async (method, path, payload) => {
    const app = await start("dummy");
    const refused = await app.inject({ method, url: `/api/v1/siem/${path}`, ...(payload && { payload }) });
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toEqual({ detail: "Runtime mode 'dummy' blocks this change" });
  });

  it("reads stored data while a database is available", async () => {
    const app = await start("dummy");
    expect((await app.inject(`/api/v1/siem/logs/${STORED_LOG_ID}`)).json().message).toBe("stored");
  });
});

describe("the SIEM without a database in dummy mode", () => {
  const showcase = buildShowcase(new Date());

  it.each([
    ["query=src_ip:203.0.113.24 outcome:success severity:>=high", 3],
    ["query=failed password&source=linux-auth", 30],
    ['query=attributes.tls.sni:"cdn-update.example"', 288],
    ["query=event_code:modbus.write NOT src_ip:192.0.2.200", 3],
    ["source=cps-attestation&host=player-kiosk-07", 9],
  ])("searches the showcase by %s", async (query, total) => {
    const app = await start("dummy", "none", absentLogStore());
    const answered = await app.inject(`/api/v1/siem/logs?from=2000-01-01T00:00:00Z&limit=200&${encodeURI(query)}`);
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toMatchObject({ total });
  });

  it("returns each showcase log once over all pages", async () => {
    const app = await start("dummy", "none", absentLogStore());
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = (await app.inject(`/api/v1/siem/logs?from=2000-01-01T00:00:00Z&limit=200${cursor}`)).json();
      seen.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    expect(seen.toSorted()).toEqual(showcase.logs.map(({ id }) => id).toSorted());
  });

  it("answers every other read and runs every hunt", async () => {
    const app = await start("dummy", "none", absentLogStore());
    const [log] = showcase.logs;
    expect((await app.inject(`/api/v1/siem/logs/${log?.id}`)).json().message).toBe(log?.message);
    const lines = (await app.inject("/api/v1/siem/logs/export?from=2000-01-01T00:00:00Z")).body.trimEnd().split("\n");
    expect(lines).toHaveLength(showcase.logs.length);
    const { items } = (await app.inject("/api/v1/siem/sources")).json();
    const silent = items.filter(({ silent_since }: { silent_since: string | null }) => silent_since !== null);
    expect(silent).toMatchObject([{ source: "edr-waterworks", events: 76, received: 76, stored: 76, rejected: 0 }]);
    const stats = (await app.inject("/api/v1/siem/stats")).json();
    expect(stats).toMatchObject({ total_events: showcase.logs.length, by_source: { "edr-waterworks": 76 } });
    expect(stats.events_24h).toBeLessThan(stats.total_events);
    const hunts = (await app.inject("/api/v1/siem/hunts")).json();
    expect(hunts.total).toBe(5);
    for (const { id, title } of hunts.items) {
      const ran = await app.inject({ method: "POST", url: `/api/v1/siem/hunts/${id}/run?from=2000-01-01T00:00:00Z` });
      expect(ran.json().total, title).toBeGreaterThan(0);
    }
    const asTier2 = await app.inject({ url: "/api/v1/siem/hunts", headers: { "x-role": "tier2" } });
    expect(asTier2.json().total).toBe(4);
  });
});

describe.each(["dry_run", "real"] as const)("the SIEM without a database in %s", (mode) => {
  it("answers 503 and never shows showcase data", async () => {
    const app = await start(mode, "none");
    for (const path of READS) expect((await app.inject(`/api/v1/siem/${path}`)).statusCode, path).toBe(503);
    for (const [method, path, payload] of CHANGES) {
      const answered = await app.inject({ method, url: `/api/v1/siem/${path}`, ...(payload && { payload }) });
      expect(answered.statusCode, `${method} ${path}`).toBe(503);
    }
  });
});

describe("the SIEM without its log store", () => {
  it("answers 503 for logs while hunts stay available", async () => {
    const { engine, store, stop } = await startLogStore();
    await engine.close();
    const app = await start("real", "fresh", store);
    await platform.db.insertInto("hunts").values(HUNT_ROW).execute();
    for (const path of READS.filter((each) => each !== "hunts")) {
      const refused = await app.inject(`/api/v1/siem/${path}`);
      expect(refused.statusCode, path).toBe(503);
      expect(refused.json()).toEqual({ detail: "the log store does not answer" });
    }
    for (const path of [`hunts/${HUNT_ROW.id}/run`, `logs/${STORED_LOG_ID}/promote`]) {
      expect((await app.inject({ method: "POST", url: `/api/v1/siem/${path}` })).statusCode, path).toBe(503);
    }
    expect((await app.inject("/api/v1/siem/hunts")).json().total).toBe(1);
    expect((await app.inject({ method: "POST", url: "/api/v1/siem/hunts", payload: HUNT })).statusCode).toBe(201);
    expect(await platform.db.selectFrom("alerts").selectAll().execute()).toEqual([]);
    await stop();
  });

  it("answers 503 for a search that exceeds its time limit", async () => {
    const { store, stop } = await startLogStore({ limits: { searchSeconds: 0.001 } });
    const app = await start("real", "fresh", store);
    const many = Array.from({ length: 50_000 }, (_, number) =>
      sampleLog({ id: `${number}`, timestamp: platform.clock.now().toISOString(), message: `x${"y".repeat(200)}` }),
    );
    await store.insert(many, { token: "many" });
    const refused = await app.inject(
      `/api/v1/siem/logs?to=2100-01-01T00:00:00Z&from=2000-01-01T00:00:00Z&query=${encodeURIComponent("message:*z*z*")}`,
    );
    expect(refused.statusCode).toBe(503);
    expect(refused.json().detail).toBe("the search took too long; choose a shorter time range");
    await stop();
  });
});
