import { describe, expect, it } from "vitest";
import type { Role } from "../caller/permissions.ts";
import {
  type EventReaders,
  type EventSights,
  filterSeen,
  formatFrame,
  formatHeartbeat,
  formatOpening,
  mayReceive,
  parsePlace,
} from "./event.ts";

const event = {
  place: 742n,
  at: new Date("2026-03-14T09:26:53.589Z"),
  type: "alert.created",
  actor: "noor",
  subject_type: "alert",
  subject_id: "a1",
  data: { title: "two\nlines" },
};

describe("event frames", () => {
  it("formats an event as an id and one line of JSON, whatever the event contains", () => {
    expect(formatFrame(event)).toBe(
      "id: 742\n" +
        'data: {"type":"alert.created","actor":"noor","subject_type":"alert","subject_id":"a1",' +
        '"at":"2026-03-14T09:26:53.589Z","data":{"title":"two\\nlines"}}\n\n',
    );
  });

  it("begins a stream with the place to resume from, and reports lost events", () => {
    expect(formatOpening({ place: 0n, isReset: false })).toBe("retry: 1000\nid: 0\n\n");
    expect(formatOpening({ place: 7n, isReset: true })).toBe("retry: 1000\nevent: reset\ndata: {}\nid: 7\n\n");
    expect(formatOpening({ place: undefined, isReset: false })).toBe("retry: 1000\n\n");
  });

  it("formats a heartbeat as a comment that carries the place", () => {
    expect(formatHeartbeat(9n)).toBe(": heartbeat\nid: 9\n\n");
    expect(formatHeartbeat(undefined)).toBe(": heartbeat\n\n");
  });
});

describe("filterSeen", () => {
  const readers: EventReaders = new Map<string, readonly ["alerts:read"] | "subject">([
    ["alert", ["alerts:read"]],
    ["comment", ["alerts:read"]],
    ["rule", ["alerts:read"]],
    ["inbox", "subject"],
  ]);
  const filter = async (scope: unknown, ids: readonly string[]) =>
    new Set(ids.filter((id) => Array.isArray(scope) && scope.includes(id)));
  const sights: EventSights = new Map([
    ["alert", { filter }],
    ["comment", { by: "case_id", filter }],
  ]);
  const of = (type: string, subject_id: string, data: object = {}) => ({ type, subject_id, data });

  it("keeps events of records in the scope, and events that concern only the caller", async () => {
    const seen = [
      of("alert.created", "a1"),
      of("comment.created", "c1", { case_id: "a1" }),
      of("inbox.changed", "noor"),
    ];
    const hidden = [
      of("alert.created", "b1"),
      of("comment.created", "a1", { case_id: "b1" }),
      of("comment.created", "a1"),
      of("rule.created", "a1"),
    ];
    expect(await filterSeen(["a1"], [...hidden, ...seen, ...hidden], readers, sights)).toEqual(seen);
  });
});

describe("parsePlace", () => {
  it("parses a Last-Event-ID as a place", () => {
    expect(parsePlace("742")).toBe(742n);
  });

  it.each(["", "742-15", "-15", "a", "742 ", "9999999999999999999", "0x1"])("rejects the Last-Event-ID %j", (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });
});

describe("mayReceive", () => {
  const readers: EventReaders = new Map([
    ["alert", ["alerts:read"]],
    ["approval", ["approvals:manage"]],
  ]);
  const caller = (role: Role) => ({ kind: "user", username: role, role }) as const;

  it.each([
    ["auditor", "alert.created", true],
    ["tier3", "approval.requested", false],
    ["manager", "approval.requested", true],
    ["manager", "something.unlisted", false],
    ["admin", "something.unlisted", true],
  ] as const)("decides whether the role %s may receive %s: %s", (role, type, expected) => {
    expect(mayReceive(caller(role), { type, subject_id: "x", data: {} }, readers)).toBe(expected);
  });

  it("checks the scopes of an API key and not its role", () => {
    const key = { kind: "api_key", username: "sensor", role: "agent", scopes: ["alerts:read"] } as const;
    const about = { subject_id: "x", data: { requested_by: "sensor" } };
    expect(mayReceive(key, { type: "alert.created", ...about }, readers)).toBe(true);
    expect(mayReceive(key, { type: "approval.requested", ...about }, readers)).toBe(false);
  });

  it("delivers the result of a request to its requester", () => {
    const about = { type: "approval.decided", subject_id: "x", data: { requested_by: "tier3" } };
    expect(mayReceive(caller("tier3"), about, readers)).toBe(true);
    expect(mayReceive(caller("tier2"), about, readers)).toBe(false);
  });

  it("delivers events about a person only to that person", () => {
    const personal: EventReaders = new Map([["inbox", "subject"]]);
    const about = { type: "inbox.changed", subject_id: "tier3", data: {} };
    expect(mayReceive(caller("tier3"), about, personal)).toBe(true);
    expect(mayReceive(caller("admin"), about, personal)).toBe(false);
    expect(mayReceive({ ...caller("tier3"), kind: "api_key" }, about, personal)).toBe(false);
  });
});
