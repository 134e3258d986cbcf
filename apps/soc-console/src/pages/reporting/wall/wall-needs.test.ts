import { expect, test } from "vitest";
import { isSoon, listOverdue, listSilent, listWaiting } from "./wall-needs.ts";

const NOW = new Date("2026-11-17T19:00:00.000Z");
const SLA = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null, state: null };

test("a case is overdue by its date, by its SLA, or by a broken SLA; the longest overdue is first", () => {
  const cases = [
    { name: "in time", due_at: "2026-11-17T19:00:01.000Z", sla: SLA },
    { name: "by date", due_at: "2026-11-17T18:00:00.000Z", sla: SLA },
    { name: "by SLA", due_at: null, sla: { ...SLA, resolve_by: "2026-11-17T12:00:00.000Z" } },
    { name: "answered late", due_at: null, sla: { ...SLA, state: "breached" as const } },
    { name: "without an end", due_at: null, sla: SLA },
  ];
  expect(listOverdue(cases, NOW).map(({ name }) => name)).toEqual(["answered late", "by SLA", "by date"]);
});

test("the date that a person set goes before the SLA", () => {
  const moved = { due_at: "2026-11-18T00:00:00.000Z", sla: { ...SLA, resolve_by: "2026-11-17T12:00:00.000Z" } };
  expect(listOverdue([moved], NOW)).toEqual([]);
});

test("lists requests that still wait by their end", () => {
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

test("lists silent sources, the longest silent first", () => {
  const sources = [
    { source: "a", silent_since: null },
    { source: "b", silent_since: "2026-11-17T18:48:00.000Z" },
    { source: "c", silent_since: "2026-11-17T10:00:00.000Z" },
  ];
  expect(listSilent(sources).map(({ source }) => source)).toEqual(["c", "b"]);
});
