import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import { featureApp, type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { createAlertChanges } from "../../alerts/alerts/alert-changes.ts";
import { buildShowcase } from "../../demo/showcase.ts";
import { CASE_IDS } from "../../demo/story.ts";
import { createAuditStore } from "../../foundation/audit/audit.store.ts";
import { encodeCursor } from "../../foundation/lists/page.ts";
import { createLedgerService } from "../ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../ledger/ledger.showcase.ts";
import { createLedgerStore } from "../ledger/ledger.store.ts";
import { caseItemsRoutes } from "./case-items.routes.ts";
import { createCaseItemsService } from "./case-items.service.ts";
import { createCaseReads } from "./case-reads.store.ts";
import { casesRoutes } from "./cases.routes.ts";
import { createCasesService } from "./cases.service.ts";
import { createShowcaseCaseReads } from "./cases.showcase.ts";
import { evidenceRoutes } from "./evidence.routes.ts";
import { createEvidenceService } from "./evidence.service.ts";

type Item = { id: string } & Record<string, string>;

let platform: TestPlatform;
let app: Awaited<ReturnType<typeof featureApp>>;
let withoutDatabase: { platform: TestPlatform; app: Awaited<ReturnType<typeof featureApp>> };
let case_id: string;

async function createApp(on: TestPlatform) {
  const { db, runtime, clock, ids, changes } = on;
  const key = createSampleKey();
  const audit = createAuditStore(ids);
  const stores = { database: createLedgerStore(db), showcase: createShowcaseLedgerStore([], key) };
  const ledger = createLedgerService({ runtime, stores, key, clock });
  const alerts = createAlertChanges({ audit, clock });
  const reads = {
    database: createCaseReads(db),
    showcase: createShowcaseCaseReads(buildShowcase(clock.now()).cases),
  };
  const cases = createCasesService({ runtime, reads, audit, alerts, ledger, clock, ids });
  const evidence = createEvidenceService({ cases, ledger, audit, clock, ids });
  const items = createCaseItemsService({ cases, audit, clock, ids });
  return featureApp(
    on,
    casesRoutes(cases, changes),
    caseItemsRoutes(items, changes),
    evidenceRoutes(evidence, changes),
  );
}

beforeAll(async () => {
  platform = await testPlatform("real");
  app = await createApp(platform);
  const dummy = await testPlatform("dummy", "none");
  withoutDatabase = { platform: dummy, app: await createApp(dummy) };
  case_id = (await post("/cases", { title: "Odd sign-ins" })).id;
  for (let n = 1; n <= 7; n += 1) {
    await post(`/cases/${case_id}/observables`, { type: "ip", value: `192.0.2.${n}` });
    await post(`/cases/${case_id}/evidence`, { name: `disk ${n}`, evidence_type: "disk_image" });
    await post(`/cases/${case_id}/comments`, { body: `note ${n}` });
    await post(`/cases/${case_id}/tasks`, { title: `task ${n}` });
  }
});

afterAll(async () => {
  await platform.close();
  await withoutDatabase.platform.close();
});

async function post(path: string, payload: object): Promise<Item> {
  const created = await app.inject({ method: "POST", url: `/api/v1${path}`, payload });
  expect(created.statusCode).toBe(201);
  return created.json();
}

/** Reads all pages by cursor; `meanwhile` runs after the first page. */
async function readAll(of: typeof app, path: string, meanwhile = async (): Promise<void> => undefined) {
  const items: Item[] = [];
  let cursor = "";
  for (let pages = 0; pages < 20; pages += 1) {
    const page = (await of.inject(`/api/v1${path}?limit=3${cursor && `&cursor=${cursor}`}`)).json();
    items.push(...page.items);
    if (page.next_cursor === null) return items;
    cursor = page.next_cursor;
    await meanwhile();
  }
  throw new Error(`${path} has no end`);
}

const seven = (word: string) => [7, 6, 5, 4, 3, 2, 1].map((n) => `${word}${n}`);

describe("lists of case items", () => {
  it.each([
    ["observables", "value", seven("192.0.2.")],
    ["evidence", "name", seven("disk ")],
    ["comments", "body", seven("note ")],
    ["tasks", "title", seven("task ")],
  ])("returns every item over all pages: %s", async (list, field, expected) => {
    const items = await readAll(app, `/cases/${case_id}/${list}`);
    expect(items.map((item) => item[field])).toEqual(expected);
  });
});

describe("GET /cases/{case_id}/timeline", () => {
  it("returns all entries, newest first", async () => {
    const timelineItems = await readAll(app, `/cases/${case_id}/timeline`);
    const steps = seven("").flatMap((n) => [
      `task added: task ${n}`,
      "comment added",
      `evidence registered: disk ${n}`,
      `observable added: ip 192.0.2.${n}`,
    ]);
    expect(timelineItems.map(({ action }) => action)).toEqual([...steps, "case opened: Odd sign-ins"]);
    expect(timelineItems[0]).toEqual({ agent: "admin", action: "task added: task 7", timestamp: expect.any(String) });
  });

  it("returns each entry once while entries are added, and no entries of other cases", async () => {
    const { id } = await post("/cases", { title: "Another" });
    for (let n = 1; n <= 6; n += 1) await post(`/cases/${id}/tasks`, { title: `${n}` });
    const timelineItems = await readAll(app, `/cases/${id}/timeline`, async () => {
      await post(`/cases/${id}/comments`, { body: "meanwhile" });
    });
    const tasks = ["6", "5", "4", "3", "2", "1"].map((title) => `task added: ${title}`);
    expect(timelineItems.map(({ action }) => action)).toEqual([...tasks, "case opened: Another"]);
  });

  it("supports total, skip and limit like every list", async () => {
    const page = (await app.inject(`/api/v1/cases/${case_id}/timeline?skip=28`)).json();
    expect(page).toMatchObject({ total: 29, skip: 28, limit: 50, next_cursor: null });
    expect(page.items).toHaveLength(1);
  });

  it.each([
    ["/cases/nope/timeline", 404, "case 'nope' does not exist"],
    ["/cases/ID/timeline?limit=201", 400, /^limit: /],
    ["/cases/ID/timeline?cursor=abc", 400, /^cursor: /],
    [`/cases/ID/timeline?cursor=${encodeCursor("timeline", ["1 OR true"])}`, 400, /^cursor: /],
    [`/cases/ID/timeline?cursor=${encodeCursor("tasks", ["1"])}`, 400, /^cursor: /],
  ])("refuses %s with %i and a reason", async (path, status, why) => {
    const refused = await app.inject(`/api/v1${path.replace("ID", case_id)}`);
    expect(refused.statusCode).toBe(status);
    expect(refused.json().detail).toMatch(why);
  });

  it("serves the showcase with the same pages", async () => {
    const url = `/cases/${CASE_IDS.takeover}`;
    const { timeline } = (await withoutDatabase.app.inject(`/api/v1${url}`)).json();
    expect(timeline.length).toBeGreaterThan(3);
    expect(await readAll(withoutDatabase.app, `${url}/timeline`)).toEqual(timeline);
  });
});

describe("PATCH without a known field", () => {
  it.each([{}, { colour: "red" }])(
    "refuses the patch of a case and a task and names the fields: %j",
    async (payload) => {
      const patch = (path: string) => app.inject({ method: "PATCH", url: `/api/v1${path}`, payload });
      const ofCase = await patch(`/cases/${case_id}`);
      expect([ofCase.statusCode, ofCase.json()]).toEqual([
        400,
        {
          detail:
            "body: must have title, severity, status, description, assignee, requires_human_approval, due_at, mitre_techniques or tags",
        },
      ]);
      const { id } = (await app.inject(`/api/v1/cases/${case_id}/tasks?limit=1`)).json().items[0];
      const ofTask = await patch(`/cases/${case_id}/tasks/${id}`);
      expect([ofTask.statusCode, ofTask.json()]).toEqual([
        400,
        { detail: "body: must have title, status, assignee or position" },
      ]);
    },
  );
});
