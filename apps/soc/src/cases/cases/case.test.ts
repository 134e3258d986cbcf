import { describe, expect, it } from "vitest";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { changesBetween, formatChanges } from "../../foundation/records/field-changes.ts";
import { requireMatch } from "../../foundation/records/if-match.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { type Case, findWaived, parseTime, patchCase, type WholeCase } from "./case.ts";
import { CASE_STATUSES } from "./cases.schema.ts";
import { createShowcaseCaseReads } from "./cases.showcase.ts";

const OPENED = new Date("2026-03-01T08:00:00Z");
const NOW = new Date("2026-03-01T09:30:00Z");

function caseWith(fields: Partial<Case> = {}): Case {
  return {
    id: "01900000-0000-7000-8000-000000000001",
    title: "Odd sign-ins",
    description: "",
    severity: "medium",
    status: "open",
    assignee: null,
    requires_human_approval: false,
    due_at: null,
    mitre_techniques: [],
    tags: [],
    template_id: null,
    merged_into: null,
    closed_at: null,
    created_at: OPENED,
    updated_at: OPENED,
    ...fields,
  };
}

describe("case status rules", () => {
  const others = CASE_STATUSES.filter((status) => status !== "pending_approval");

  it.each(others)("allows a change from %s to any status for every caller with cases:write", (from) => {
    for (const to of CASE_STATUSES) {
      expect(patchCase(caseWith({ status: from }), { status: to }, NOW).status).toBe(to);
      expect(findWaived(caseWith({ status: from }), { status: to })).toBeUndefined();
    }
  });

  it.each(others)("ends the wait for an approval on a change from pending_approval to %s", (to) => {
    expect(findWaived(caseWith({ status: "pending_approval" }), { status: to })).toBe("status");
  });

  it("keeps pending_approval while other fields change", () => {
    const waiting = caseWith({ status: "pending_approval" });
    expect(patchCase(waiting, { title: "New", status: "pending_approval" }, NOW).title).toBe("New");
  });

  it("keeps closed_at until the case is reopened", () => {
    const closed = patchCase(caseWith(), { status: "closed" }, NOW);
    expect(closed.closed_at).toEqual(NOW);
    const renamed = patchCase(closed, { title: "New" }, new Date("2026-03-02T00:00:00Z"));
    expect(renamed.closed_at).toEqual(NOW);
    expect(patchCase(renamed, { status: "investigating" }, NOW).closed_at).toBeNull();
  });
});

it("ends the wait for an approval when requires_human_approval is cleared, but not when it is set", () => {
  expect(findWaived(caseWith(), { requires_human_approval: true })).toBeUndefined();
  const demanding = patchCase(caseWith(), { requires_human_approval: true }, NOW);
  expect(demanding.requires_human_approval).toBe(true);
  expect(findWaived(demanding, { title: "New", requires_human_approval: true })).toBeUndefined();
  expect(findWaived(demanding, { requires_human_approval: false })).toBe("requires_human_approval");
});

it("gives each change a new version, even within a millisecond and after the clock was set back", () => {
  const first = patchCase(caseWith(), { title: "a" }, OPENED);
  const second = patchCase(first, { title: "b" }, new Date("2026-02-28T00:00:00Z"));
  expect(first.updated_at.toISOString()).toBe("2026-03-01T08:00:00.001Z");
  expect(second.updated_at.toISOString()).toBe("2026-03-01T08:00:00.002Z");
});

it("describes each change with its old and new value", () => {
  const before = caseWith({ assignee: "noor@example.com" });
  const after = { ...before, status: "closed", assignee: null, due_at: NOW } as const;
  const changes = changesBetween<Case>(before, after, ["title", "status", "assignee", "due_at"]);
  expect(formatChanges(changes)).toBe(
    "status: open → closed; assignee: noor@example.com → none; due_at: none → 2026-03-01T09:30:00.000Z",
  );
});

it("shortens a long text and detects a change after the shortened part", () => {
  const [change] = changesBetween({ text: `${"🔥".repeat(200)}a` }, { text: `${"🔥".repeat(200)}b` }, ["text"]);
  expect(change).toEqual({ field: "text", from: `${"🔥".repeat(200)}…`, to: `${"🔥".repeat(200)}…` });
});

it.each([undefined, "*", '"2026-03-01T08:00:00.000Z"', '"other", "2026-03-01T08:00:00.000Z"'])(
  "accepts If-Match %s for the current version",
  (ifMatch) => {
    expect(() => requireMatch(ifMatch, caseWith())).not.toThrow();
  },
);

it.each(["", '"other"', "2026-03-01T08:00:00.000Z", 'W/"2026-03-01T08:00:00.000Z"'])(
  "refuses If-Match %s and names the current version",
  (ifMatch) => {
    expect(() => requireMatch(ifMatch, caseWith())).toThrow(
      'If-Match: the current version is "2026-03-01T08:00:00.000Z"',
    );
  },
);

it.each([
  ["title", { title: "a\0b" }],
  ["title", { title: "\ud83d" }],
  ["tags", { tags: ["fine", "a\0b"] }],
  ["context", { context: { deep: [{ "\0": 1 }] } }],
])("refuses text that the database cannot store and names the field %s", (field, fields) => {
  expect(() => requireStorable(fields)).toThrow(`${field}: contains a character that cannot be stored`);
});

it("stores every other text", () => {
  expect(() => requireStorable({ title: "سورة 🔥 \u001b", context: { a: null, b: [1, true] } })).not.toThrow();
});

it("accepts a time with any offset and refuses a leap second", () => {
  expect(parseTime("due_at", "2026-03-01T12:30:00+03:00")).toEqual(NOW);
  expect(parseTime("due_at", null)).toBeNull();
  expect(() => parseTime("due_at", "2026-06-30T23:59:60Z")).toThrow(
    "due_at: '2026-06-30T23:59:60Z' is not a valid time",
  );
});

describe("showcase cases", () => {
  const comments = [1, 2, 3].map((number) => ({
    id: `01900000-0000-7000-8000-10000000000${number}`,
    author: "noor",
    body: `note ${number}`,
    created_at: OPENED,
    edited_at: null,
  }));
  const whole = (fields: Partial<WholeCase>): WholeCase => ({
    ...caseWith(),
    timeline: [],
    observables: [],
    evidence: [],
    comments: [],
    tasks: [],
    ...fields,
  });
  const reads = createShowcaseCaseReads([
    whole({ id: "01900000-0000-7000-8000-000000000001", severity: "low", comments }),
    whole({ id: "01900000-0000-7000-8000-000000000002", severity: "critical", title: "Pump stopped" }),
    whole({ id: "01900000-0000-7000-8000-000000000003", severity: "high", status: "closed", assignee: "noor" }),
  ]);
  const numbers = async (query: object) =>
    (await reads.list(ALL_SITES, query)).items.map(({ id }) => Number(id.at(-1)));

  it("filters and sorts showcase cases like those in a database", async () => {
    expect(await numbers({})).toEqual([3, 2, 1]);
    expect(await numbers({ sort: "-severity" })).toEqual([2, 3, 1]);
    expect(await numbers({ sort: "severity" })).toEqual([1, 3, 2]);
    expect(await numbers({ status: ["closed"] })).toEqual([3]);
    expect(await numbers({ severity: ["low"] })).toEqual([1]);
    expect(await numbers({ assignee: ["noor"] })).toEqual([3]);
    expect(await numbers({ severity: ["low", "high"] })).toEqual([3, 1]);
    expect(await numbers({ q: "STOPPED pump" })).toEqual([2]);
    expect(await numbers({ q: "note 2" })).toEqual([1]);
  });

  it("pages showcase cases and their items by cursor", async () => {
    const first = await reads.list(ALL_SITES, { limit: 2 });
    expect(await numbers({ limit: 2, cursor: first.next_cursor })).toEqual([1]);
    const newest = await reads.comments("01900000-0000-7000-8000-000000000001", { limit: 2 });
    expect(newest.items.map(({ body }) => body)).toEqual(["note 3", "note 2"]);
    const cursor = String(newest.next_cursor);
    const rest = await reads.comments("01900000-0000-7000-8000-000000000001", { cursor });
    expect(rest).toMatchObject({ items: [{ body: "note 1" }], total: 3, next_cursor: null });
  });
});
