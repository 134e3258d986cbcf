import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

const SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

let platform: ContractPlatform;
let made = 0;

const open = (fields: object = {}) => platform.send("POST /cases", { title: "a case", ...fields });
const read = (id: string) => platform.send(`GET /cases/${id}`);
const report = () => {
  made += 1;
  return platform.send("POST /alerts", { title: `finding ${made}`, source: "sensor" });
};

beforeAll(async () => {
  platform = await contractPlatform();
});
afterAll(() => platform.close());

describe("the fields of a case", () => {
  it(quote("| id | string | |"), async () => {
    const { id } = await open();
    expect(id).toEqual(expect.any(String));
    expect((await read(id)).id).toBe(id);
  });

  it.each([
    [quote("| title | string | |"), "title", "Ransomware", "Ransomware on two hosts"],
    [quote("| severity | string | |"), "severity", "critical", "low"],
    [quote("| description | string | |"), "description", "It spreads", "It has stopped"],
    [quote("| assignee | string | <EMAIL> |"), "assignee", "ann@example.org", "bob@example.org"],
  ])("%s can be set on creation and by a change", async (_row, field, value, changed) => {
    const { id } = await open({ [field]: value });
    expect(await read(id)).toMatchObject({ [field]: value });
    expect(await platform.send(`PATCH /cases/${id}`, { [field]: changed })).toMatchObject({ [field]: changed });
    expect(await read(id)).toMatchObject({ [field]: changed });
  });

  it.each([
    ["title", 1],
    ["severity", "urgent"],
    ["description", {}],
    ["assignee", 1],
    ["alert_ids", "one"],
    ["alert_ids", [{}]],
  ])("a creation with %s = %j answers 400", async (field, value) => {
    expect((await platform.ask("POST /cases", { title: "a case", [field]: value })).status).toBe(400);
  });

  it.each([
    ["title", {}],
    ["severity", "urgent"],
    ["status", "urgent"],
    ["description", 1],
    ["assignee", {}],
    ["requires_human_approval", "yes"],
  ])("a change with %s = %j answers 400", async (field, value) => {
    const { id } = await open();
    expect((await platform.ask(`PATCH /cases/${id}`, { [field]: value })).status).toBe(400);
  });

  describe(quote("| status | string | values seen: open, investigating, pending_approval |"), () => {
    it("opens a new case", async () => {
      expect(await open()).toMatchObject({ status: "open" });
    });

    it.each(["open", "investigating", "pending_approval"])("accepts the status %s", async (status) => {
      const { id } = await open();
      if (status === "open") await platform.send(`PATCH /cases/${id}`, { status: "investigating" });
      expect(await platform.send(`PATCH /cases/${id}`, { status })).toMatchObject({ status });
      expect(await read(id)).toMatchObject({ status });
    });
  });

  it(quote("Case statuses seen: open, investigating, pending_approval."), async () => {
    const { id } = await open();
    const seen = [(await read(id)).status];
    for (const status of ["investigating", "pending_approval"]) {
      await platform.send(`PATCH /cases/${id}`, { status }, "tier2");
      seen.push((await read(id)).status);
    }
    expect(seen).toEqual(["open", "investigating", "pending_approval"]);
  });

  it("lets a caller with cases:write leave pending_approval if no approval was requested", async () => {
    const { id } = await open();
    await platform.send(`PATCH /cases/${id}`, { status: "pending_approval" }, "tier2");
    expect(await platform.send(`PATCH /cases/${id}`, { status: "investigating" }, "tier2")).toMatchObject({
      status: "investigating",
    });
  });

  it(quote("| requires_human_approval | boolean | update only |"), async () => {
    const { id } = await open({ requires_human_approval: true });
    expect((await read(id)).requires_human_approval).toBe(false);
    await platform.send(`PATCH /cases/${id}`, { requires_human_approval: true }, "tier2");
    expect((await read(id)).requires_human_approval).toBe(true);
    await platform.send(`PATCH /cases/${id}`, { requires_human_approval: false }, "tier2");
    expect((await read(id)).requires_human_approval).toBe(false);
  });

  it(quote("| alert_ids | array of strings | create only |"), async () => {
    const [first, second, third] = [await report(), await report(), await report()];
    const { id } = await open({ alert_ids: [first.id, second.id] });
    await platform.ask(`PATCH /cases/${id}`, { title: "changed", alert_ids: [third.id] });
    // The alerts of a case return to triaged when it is removed.
    await platform.send(`DELETE /cases/${id}`);
    const statuses = [first, second, third].map(
      async (alert) => (await platform.send(`GET /alerts/${alert.id}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual(["triaged", "triaged", "new"]);
  });

  it(quote("| timeline | array | items: agent, action, timestamp |"), async () => {
    const { id } = await open();
    await platform.send(`PATCH /cases/${id}`, { status: "investigating" });
    const { timeline } = await read(id);
    expect(timeline.length).toBeGreaterThanOrEqual(2);
    for (const item of timeline) {
      expect(item).toEqual({
        agent: expect.any(String),
        action: expect.any(String),
        timestamp: expect.stringMatching(ISO),
      });
    }
  });

  it.each([
    [quote("| observables | array | see below |"), "observables", { type: "ip", value: "192.0.2.1" }],
    [quote("| evidence | array | see below |"), "evidence", { name: "disk", evidence_type: "image" }],
    [quote("| comments | array | items: author, body |"), "comments", { body: "looked at" }],
    [
      quote("| tasks | array | items: title, status (for example done), assignee |"),
      "tasks",
      { title: "look", status: "done", assignee: "ann@example.org" },
    ],
  ])("%s: the detail and the sub-route return what was added", async (_row, list, item) => {
    const { id } = await open();
    expect((await read(id))[list]).toEqual([]);
    const created = await platform.ask(`POST /cases/${id}/${list}`, item);
    expect([200, 201]).toContain(created.status);
    expect(created.body).toMatchObject(item);
    expect((await read(id))[list]).toEqual([expect.objectContaining(item)]);
    expect((await platform.send(`GET /cases/${id}/${list}`)).items).toEqual([expect.objectContaining(item)]);
  });

  it("stores the caller as the author of a comment", async () => {
    const { id } = await open();
    await platform.send(`POST /cases/${id}/comments`, { body: "mine" }, "tier2");
    expect((await read(id)).comments).toEqual([expect.objectContaining({ author: "tier2", body: "mine" })]);
  });

  it("cases:write (title, severity, description, alert_ids, assignee): a creation accepts all of them", async () => {
    const { id: alert_id } = await report();
    const fields = { title: "all", severity: "high", description: "of them", assignee: "ann@example.org" };
    const { id } = await open({ ...fields, alert_ids: [alert_id] });
    expect(await read(id)).toMatchObject(fields);
    await platform.send(`DELETE /cases/${id}`);
    expect(await platform.send(`GET /alerts/${alert_id}`)).toMatchObject({ status: "triaged" });
  });

  it("a change accepts title, severity, status, description, assignee and requires_human_approval together", async () => {
    const { id } = await open();
    const fields = { title: "all", severity: "high", status: "investigating", description: "of them" };
    const changed = { ...fields, assignee: "ann@example.org", requires_human_approval: true };
    await platform.send(`PATCH /cases/${id}`, changed, "tier2");
    expect(await read(id)).toMatchObject(changed);
  });

  it.each(["timeline", "observables", "evidence", "comments", "tasks"])(
    "the detail returns %s as an array",
    async (list) => {
      const { id } = await open();
      expect(Array.isArray((await read(id))[list])).toBe(true);
    },
  );

  it.each(["observables", "evidence", "comments", "tasks"])("%s of an unknown case answers 404", async (list) => {
    expect((await platform.ask(`GET /cases/${NOTHING}/${list}`)).status).toBe(404);
  });
});

describe(quote("Observable: type, value, source, tags (array of strings), context (object)."), () => {
  const OBSERVABLE = {
    type: "domain",
    value: "evil.example",
    source: "dns",
    tags: ["c2", "seen twice"],
    context: { first_seen: "2026-11-01", nested: { count: 2 } },
  };

  it.each(Object.keys(OBSERVABLE))("stores %s", async (field) => {
    const { id } = await open();
    await platform.send(`POST /cases/${id}/observables`, OBSERVABLE);
    const value = Reflect.get(OBSERVABLE, field);
    expect((await read(id)).observables).toEqual([expect.objectContaining({ [field]: value })]);
    const { items } = await platform.send(`GET /cases/${id}/observables`);
    expect(items).toEqual([expect.objectContaining({ [field]: value })]);
  });

  it.each([
    ["type", 1],
    ["value", {}],
    ["source", []],
    ["tags", "c2"],
    ["tags", [1]],
    ["context", "seen"],
    ["context", [1]],
  ])("refuses %s = %j", async (field, value) => {
    const { id } = await open();
    const answer = await platform.ask(`POST /cases/${id}/observables`, { ...OBSERVABLE, [field]: value });
    expect(answer.status).toBe(400);
  });
});

describe("evidence", () => {
  quote(
    "Evidence: name, evidence_type, storage_url, sha256 (64 hex characters), location, custody_entries (array of objects with action).",
  );
  const EVIDENCE = {
    name: "disk of WS-7",
    evidence_type: "image",
    storage_url: "s3://evidence/ws-7.img",
    sha256: SHA256,
    location: "safe 3",
  };

  it.each(Object.keys(EVIDENCE))("stores %s", async (field) => {
    const { id } = await open();
    const value = Reflect.get(EVIDENCE, field);
    expect(await platform.send(`POST /cases/${id}/evidence`, EVIDENCE)).toMatchObject({ [field]: value });
    expect((await read(id)).evidence).toEqual([expect.objectContaining({ [field]: value })]);
    const { items } = await platform.send(`GET /cases/${id}/evidence`);
    expect(items).toEqual([expect.objectContaining({ [field]: value })]);
  });

  it.each([
    ["name", 1],
    ["evidence_type", {}],
    ["storage_url", 1],
    ["location", []],
    ["custody_entries", {}],
    ["custody_entries", ["collected"]],
    ["custody_entries", [{}]],
    ["custody_entries", [{ action: 1 }]],
  ])("refuses %s = %j", async (field, value) => {
    const { id } = await open();
    expect((await platform.ask(`POST /cases/${id}/evidence`, { ...EVIDENCE, [field]: value })).status).toBe(400);
  });

  it.each([
    ["64 hex characters", SHA256, 201],
    ["63 hex characters", SHA256.slice(1), 400],
    ["65 hex characters", `${SHA256}0`, 400],
    ["64 other characters", "g".repeat(64), 400],
  ])("computes the sha256 of %s", async (_what, sha256, status) => {
    const { id } = await open();
    expect((await platform.ask(`POST /cases/${id}/evidence`, { ...EVIDENCE, sha256 })).status).toBe(status);
  });

  it("stores the custody entries with all of their fields", async () => {
    const { id } = await open();
    const entry = { action: "collected", by: "ann", timestamp: "2026-11-01T08:00:00Z" };
    const answer = await platform.send(`POST /cases/${id}/evidence`, { ...EVIDENCE, custody_entries: [entry] });
    const read1 = await read(id);
    for (const [kept] of [answer.custody_entries, read1.evidence[0].custody_entries]) {
      expect(kept.action).toBe("collected");
      expect(JSON.stringify(kept)).toContain('"by":"ann"');
      expect(JSON.stringify(kept)).toContain("2026-11-01T08:00:00");
    }
  });

  it("custody adds an entry with its action", async () => {
    const { id } = await open();
    const { id: evidence_id } = await platform.send(`POST /cases/${id}/evidence`, EVIDENCE);
    await platform.send(`POST /cases/${id}/evidence/${evidence_id}/custody`, { action: "moved to the lab" });
    const [{ custody_entries }] = (await read(id)).evidence;
    expect(custody_entries.map(({ action }: { action: string }) => action)).toContain("moved to the lab");
  });

  describe(
    quote(
      "Registering evidence appends a hash-chained ledger entry carrying a sequence number and the hash of the previous entry.",
    ),
    () => {
      it("numbers the entries in sequence and stores the hash of the previous entry", async () => {
        const { id } = await open();
        const ledgers = [];
        for (const name of ["first", "second", "third"]) {
          ledgers.push((await platform.send(`POST /cases/${id}/evidence`, { ...EVIDENCE, name })).ledger);
        }
        const [first, second, third] = ledgers;
        expect([second.sequence - first.sequence, third.sequence - second.sequence]).toEqual([1, 1]);
        expect(second.previous_hash).toBe(first.entry_hash);
        expect(third.previous_hash).toBe(second.entry_hash);
        expect(new Set(ledgers.map(({ entry_hash }) => entry_hash)).size).toBe(3);
      });

      it("appends one entry per registration", async () => {
        const { id } = await open();
        await platform.send(`POST /cases/${id}/evidence`, EVIDENCE);
        const entries = "FROM ledger_entries WHERE case_id = $1";
        expect(await platform.query(`SELECT count(*)::int ${entries}`, [id])).toEqual([{ count: 1 }]);
      });
    },
  );
});

describe(quote("Task update body: status, assignee."), () => {
  it.each([
    ["status", "done"],
    ["assignee", "bob@example.org"],
  ])("changes %s", async (field, value) => {
    const { id } = await open();
    const task = await platform.send(`POST /cases/${id}/tasks`, { title: "look" });
    const changed = await platform.send(`PATCH /cases/${id}/tasks/${task.id}`, { [field]: value });
    expect(changed).toMatchObject({ id: task.id, title: "look", [field]: value });
    expect((await read(id)).tasks).toEqual([expect.objectContaining({ title: "look", [field]: value })]);
  });

  it.each([
    ["status", "finished yesterday"],
    ["assignee", 1],
  ])("refuses %s = %j", async (field, value) => {
    const { id } = await open();
    const task = await platform.send(`POST /cases/${id}/tasks`, { title: "look" });
    expect((await platform.ask(`PATCH /cases/${id}/tasks/${task.id}`, { [field]: value })).status).toBe(400);
  });

  it("answers 404 for a task of another case", async () => {
    const [one, other] = [await open(), await open()];
    const task = await platform.send(`POST /cases/${one.id}/tasks`, { title: "look" });
    expect((await platform.ask(`PATCH /cases/${other.id}/tasks/${task.id}`, { status: "done" })).status).toBe(404);
  });
});

describe(
  quote("| case with linked alerts | DELETE /cases/{case_id} | | case removed | linked alerts return to triaged |"),
  () => {
    it("removes the case", async () => {
      const { id } = await open();
      await platform.send(`DELETE /cases/${id}`);
      expect((await platform.ask(`GET /cases/${id}`)).status).toBe(404);
      expect((await platform.ask(`DELETE /cases/${id}`)).status).toBe(404);
    });

    it.each(["new", "investigating", "triaged"])("returns a linked alert that is %s to triaged", async (status) => {
      const [first, second] = [await report(), await report()];
      const { id } = await open({ alert_ids: [first.id, second.id] });
      if (status !== "new") await platform.send(`PATCH /alerts/${first.id}`, { status });
      await platform.send(`DELETE /cases/${id}`);
      for (const alert of [first, second]) {
        expect(await platform.send(`GET /alerts/${alert.id}`)).toMatchObject({ status: "triaged" });
      }
    });

    it("does not change other alerts", async () => {
      const other = await report();
      const { id } = await open({ alert_ids: [(await report()).id] });
      await platform.send(`DELETE /cases/${id}`);
      expect(await platform.send(`GET /alerts/${other.id}`)).toMatchObject({ status: "new" });
    });
  },
);

describe("a null field counts as omitted", () => {
  it.each([
    ["POST /alerts", { title: "null 1", source: "s", severity: null }],
    ["POST /alerts", { title: "null 2", source: "s", iocs: null }],
    ["POST /alerts", { title: "null 3", source: "s", description: null }],
    ["POST /cases", { title: "null", description: null }],
    ["POST /cases", { title: "null", alert_ids: null }],
    ["POST /cases", { title: "null", assignee: null }],
  ])("%s accepts %j", async (route, body) => {
    expect((await platform.ask(route, body)).status).toBe(201);
  });

  it.each([
    ["observables", { type: "ip", value: "192.0.2.9", source: null, tags: null, context: null }],
    [
      "evidence",
      { name: "disk", evidence_type: "image", storage_url: null, sha256: null, location: null, custody_entries: null },
    ],
  ])("%s accepts %j", async (list, body) => {
    const { id } = await open();
    expect((await platform.ask(`POST /cases/${id}/${list}`, body)).status).toBe(201);
  });
});
