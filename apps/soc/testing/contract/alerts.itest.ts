import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

let platform: ContractPlatform;
let made = 0;

/** A title that no other alert has. */
const newTitle = () => {
  made += 1;
  return `alert ${made}`;
};
const add = (fields: object = {}) =>
  platform.send("POST /alerts", { title: newTitle(), source: "sensor", iocs: ["evil.example"], ...fields });
const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

beforeAll(async () => {
  platform = await contractPlatform();
});
afterAll(() => platform.close());

describe("the list of alerts", () => {
  beforeAll(async () => {
    for (let at = 0; at < 205; at += 5) {
      const sources = ["even", "odd", "even", "odd", "even"];
      await Promise.all(sources.map((source) => add({ source })));
    }
  });

  it(quote("| skip | integer | 0 | offset |"), async () => {
    const all = ids(await platform.send("GET /alerts?limit=10"));
    expect(ids(await platform.send("GET /alerts?skip=0&limit=10"))).toEqual(all);
    expect(ids(await platform.send("GET /alerts?skip=3&limit=7"))).toEqual(all.slice(3));
  });

  it(quote("| limit | integer | 50 | maximum 200 |"), async () => {
    expect((await platform.send("GET /alerts")).items).toHaveLength(50);
    expect((await platform.send("GET /alerts?limit=200")).items).toHaveLength(200);
    expect((await platform.ask("GET /alerts?limit=201")).status).toBe(400);
  });

  it(quote("| Alert list page size | maximum 200, default 50 |"), async () => {
    const page = await platform.send("GET /alerts");
    expect([page.items.length, page.limit]).toEqual([50, 50]);
    expect((await platform.send("GET /alerts?limit=1")).items).toHaveLength(1);
    expect(await platform.ask("GET /alerts?limit=1000")).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    });
  });

  it.each(["skip=one", "skip=1.5", "skip=-1", "limit=one", "limit=1.5", "limit=-1"])(
    "skip and limit are integers: %s answers 400",
    async (query) => {
      expect((await platform.ask(`GET /alerts?${query}`)).status).toBe(400);
    },
  );

  describe(quote("| severity | string | none | critical, high, medium, low, info |"), () => {
    it.each(["critical", "high", "medium", "low", "info"])("finds the alerts of severity %s", async (severity) => {
      const source = `severity-${severity}`;
      const { id } = await add({ severity, source });
      for (const other of ["critical", "high", "medium", "low", "info"]) {
        const found = ids(await platform.send(`GET /alerts?severity=${other}&source=${source}`));
        expect(found).toEqual(other === severity ? [id] : []);
      }
    });

    it("finds the alerts of every severity without it, and refuses another one", async () => {
      const source = "several-severities";
      for (const severity of ["critical", "info"]) await add({ severity, source });
      expect(ids(await platform.send(`GET /alerts?source=${source}`))).toHaveLength(2);
      expect((await platform.ask("GET /alerts?severity=urgent")).status).toBe(400);
    });
  });

  describe(quote("| status | string | none | new, triaged, investigating and others |"), () => {
    it.each(["new", "triaged", "investigating"])("finds the alerts of status %s", async (status) => {
      const source = `status-${status}`;
      const { id } = await add({ source });
      if (status !== "new") await platform.send(`PATCH /alerts/${id}`, { status });
      for (const other of ["new", "triaged", "investigating"]) {
        const found = ids(await platform.send(`GET /alerts?status=${other}&source=${source}`));
        expect(found).toEqual(other === status ? [id] : []);
      }
      expect(ids(await platform.send(`GET /alerts?source=${source}`))).toEqual([id]);
    });
  });

  it(quote("| source | string | none | source system |"), async () => {
    const { total } = await platform.send("GET /alerts");
    const even = await platform.send("GET /alerts?source=even");
    const odd = await platform.send("GET /alerts?source=odd");
    expect([even.total, odd.total]).toEqual([123, 82]);
    expect(total).toBeGreaterThanOrEqual(205);
    expect(new Set(even.items.map(({ source }: { source: string }) => source))).toEqual(new Set(["even"]));
  });
});

describe(
  quote(
    "Creation is deduplicated: a SHA-256 hash over title, source and the sorted list of IOCs identifies an alert; when an alert with the same hash exists, the existing alert is returned instead of a new one.",
  ),
  () => {
    const REPORT = { title: "Beacon", source: "ndr", iocs: ["b.example", "a.example"] };
    let first: string;
    beforeAll(async () => {
      ({ id: first } = await platform.send("POST /alerts", REPORT));
      for (const name of ["Cairo", "Lagos"]) {
        await platform.send("POST /sites", { name, profile: { asset_classes: ["it"] } });
      }
    });

    it.each([
      ["the same report", {}],
      ["the same IOCs in another order", { iocs: ["a.example", "b.example"] }],
      ["another severity", { severity: "critical" }],
      ["another description", { description: "seen again" }],
      ["a site", { site: "Cairo" }],
      ["another site", { site: "Lagos" }],
      ["a host and a user", { host: "ws-1", user: "ann" }],
    ])("returns the existing alert for %s", async (_what, fields) => {
      const { total } = await platform.send("GET /alerts?source=ndr");
      const answer = await platform.ask("POST /alerts", { ...REPORT, ...fields });
      expect([200, 201]).toContain(answer.status);
      expect(answer.body.id).toBe(first);
      expect((await platform.send("GET /alerts?source=ndr")).total).toBe(total);
    });

    it.each([
      ["title", { title: "Beacon 2" }],
      ["source", { source: "edr" }],
      ["list of IOCs", { iocs: ["a.example"] }],
      ["list of IOCs, which is empty,", { iocs: [] }],
    ])("creates a new alert for another %s", async (_what, fields) => {
      const { id } = await platform.send("POST /alerts", { ...REPORT, ...fields });
      expect(id).not.toBe(first);
    });

    it("distinguishes the parts of one report from those of another", async () => {
      const one = await platform.send("POST /alerts", { title: "ab", source: "c", iocs: ["d"] });
      const other = await platform.send("POST /alerts", { title: "a", source: "bc", iocs: ["d"] });
      const third = await platform.send("POST /alerts", { title: "ab", source: "c", iocs: ["d", "e"] });
      const fourth = await platform.send("POST /alerts", { title: "ab", source: "c", iocs: ["d,e"] });
      expect(new Set(ids({ items: [one, other, third, fourth] })).size).toBe(4);
    });

    it("creates one alert for concurrent reports", async () => {
      const report = { title: "at once", source: "ndr", iocs: ["c.example"] };
      const answers = await Promise.all(Array.from({ length: 8 }, () => platform.ask("POST /alerts", report)));
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    });

    it("identifies each alert by the 64 hex digits of a SHA-256 hash", async () => {
      const rows = await platform.query("SELECT fingerprint FROM alerts");
      expect(rows.filter(({ fingerprint }) => !/^[0-9a-f]{64}$/.test(String(fingerprint)))).toEqual([]);
      expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(rows.length);
    });
  },
);

describe("the record of an alert", () => {
  quote("Alert record fields beyond title, source, iocs, severity, status and id");

  it.each([
    ["id", expect.any(String)],
    ["title", "the record"],
    ["source", "ids"],
    ["iocs", ["x.example", "y.example"]],
    ["severity", "high"],
    ["status", "new"],
  ])("returns %s on creation, read, change and in the list", async (field, value) => {
    const report = { title: "the record", source: "ids", iocs: ["x.example", "y.example"], severity: "high" };
    const created = await platform.send("POST /alerts", report);
    const changed = await platform.send(`PATCH /alerts/${created.id}`, { severity: "high" });
    const read = await platform.send(`GET /alerts/${created.id}`);
    const [listed] = (await platform.send("GET /alerts?source=ids")).items;
    for (const alert of [created, changed, read, listed]) expect(alert).toMatchObject({ [field]: value });
  });

  it.each(["title", "source"])("requires %s", async (field) => {
    const report = { title: "the record", source: "ids", [field]: undefined };
    expect((await platform.ask("POST /alerts", report)).status).toBe(400);
  });

  it.each([
    ["title", 1],
    ["source", {}],
    ["iocs", "x.example"],
    ["iocs", [1]],
    ["severity", "urgent"],
    ["status", "urgent"],
  ])("refuses %s of another type or value: %j", async (field, value) => {
    const report = { title: newTitle(), source: "ids", [field]: value };
    expect((await platform.ask("POST /alerts", report)).status).toBe(400);
  });

  it("stores the status that the report names", async () => {
    expect(await add({ status: "triaged" })).toMatchObject({ status: "triaged" });
  });

  it("answers 404 for an unknown alert", async () => {
    expect((await platform.ask(`GET /alerts/${NOTHING}`)).status).toBe(404);
    expect((await platform.ask(`PATCH /alerts/${NOTHING}`, { status: "triaged" })).status).toBe(404);
  });
});

describe(quote("Alert statuses seen: new, triaged, investigating."), () => {
  it("an alert begins as new", async () => {
    expect(await add()).toMatchObject({ status: "new" });
  });

  it.each(["triaged", "investigating"])("PATCH sets the status %s", async (status) => {
    const { id } = await add();
    await platform.send(`PATCH /alerts/${id}`, { status: status === "new" ? "triaged" : status });
    expect(await platform.send(`PATCH /alerts/${id}`, { status })).toMatchObject({ id, status });
    expect(await platform.send(`GET /alerts/${id}`)).toMatchObject({ id, status });
  });

  it("PATCH refuses an unknown status", async () => {
    const { id } = await add();
    expect((await platform.ask(`PATCH /alerts/${id}`, { status: "urgent" })).status).toBe(400);
  });
});

describe("promote", () => {
  it(quote("Promote-alert body: description, assignee."), async () => {
    const { id } = await add();
    const body = { description: "It calls home", assignee: "ann@example.org" };
    const opened = await platform.send(`POST /alerts/${id}/promote`, body);
    expect(await platform.send(`GET /cases/${opened.id}`)).toMatchObject(body);
  });

  it("creates a linked case: the alert returns to triaged when the case is removed", async () => {
    const { id } = await add();
    const opened = await platform.send(`POST /alerts/${id}/promote`, {});
    await platform.send(`DELETE /cases/${opened.id}`);
    expect(await platform.send(`GET /alerts/${id}`)).toMatchObject({ status: "triaged" });
  });

  it.each([
    ["description", 1],
    ["assignee", {}],
  ])("refuses %s of another type", async (field, value) => {
    const { id } = await add();
    expect((await platform.ask(`POST /alerts/${id}/promote`, { [field]: value })).status).toBe(400);
  });

  it("case-link links to an existing case", async () => {
    const { id } = await add();
    const opened = await platform.send("POST /cases", { title: "existing" });
    await platform.send(`POST /alerts/${id}/case-link`, { case_id: opened.id });
    await platform.send(`DELETE /cases/${opened.id}`);
    expect(await platform.send(`GET /alerts/${id}`)).toMatchObject({ status: "triaged" });
  });

  it("case-link answers 404 for an unknown case", async () => {
    const { id } = await add();
    expect((await platform.ask(`POST /alerts/${id}/case-link`, { case_id: NOTHING })).status).toBe(404);
  });
});
