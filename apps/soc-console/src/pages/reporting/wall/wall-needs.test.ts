import { expect, test } from "vitest";
import { isSoon, listCaseNeeds, listOverdue, listSilent, listWaiting } from "./wall-needs.ts";

const NOW = new Date("2026-11-17T19:00:00.000Z");
const SLA = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null, state: null };

test("finds cases overdue by date, by SLA deadline or by a breached SLA, longest overdue first", () => {
  const cases = [
    { name: "in time", due_at: "2026-11-17T19:00:01.000Z", sla: SLA },
    { name: "by date", due_at: "2026-11-17T18:00:00.000Z", sla: SLA },
    { name: "by SLA", due_at: null, sla: { ...SLA, resolve_by: "2026-11-17T12:00:00.000Z" } },
    { name: "answered late", due_at: null, sla: { ...SLA, state: "breached" as const } },
    { name: "without an end", due_at: null, sla: SLA },
  ];
  expect(listOverdue(cases, NOW).map(({ name }) => name)).toEqual(["answered late", "by SLA", "by date"]);
});

test("lists open cases without an assignee after the overdue ones, each once", () => {
  const overdue = { due_at: "2026-11-17T18:00:00.000Z", sla: SLA };
  const cases = [
    { name: "free", due_at: null, sla: SLA, assignee: null },
    { name: "of noor", due_at: null, sla: SLA, assignee: "noor" },
    { name: "free and overdue", ...overdue, assignee: null },
    { name: "overdue", ...overdue, assignee: "noor" },
  ];
  expect(listCaseNeeds(cases, NOW).map(({ name }) => name)).toEqual(["free and overdue", "overdue", "free"]);
});

test("prefers the manually set date over the SLA", () => {
  const moved = { due_at: "2026-11-18T00:00:00.000Z", sla: { ...SLA, resolve_by: "2026-11-17T12:00:00.000Z" } };
  expect(listOverdue([moved], NOW)).toEqual([]);
});

test("lists pending requests by expiry", () => {
  const [over, late, soon] = [
    { expires_at: "2026-11-17T18:59:59.000Z" },
    { expires_at: "2026-11-17T23:00:00.000Z" },
    { expires_at: "2026-11-17T19:41:00.000Z" },
  ];
  expect(listWaiting([over, late, soon], NOW)).toEqual([soon, late]);
  expect([isSoon(soon.expires_at, NOW), isSoon(late.expires_at, NOW), isSoon(undefined, NOW)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("lists silent sources, longest silent first", () => {
  const sources = [
    { source: "a", silent_since: null },
    { source: "b", silent_since: "2026-11-17T18:48:00.000Z" },
    { source: "c", silent_since: "2026-11-17T10:00:00.000Z" },
  ];
  expect(listSilent(sources).map(({ source }) => source)).toEqual(["c", "b"]);
});
