import { describe, expect, it } from "vitest";
import type { Role } from "../caller/permissions.ts";
import {
  type EventReaders,
  formatFrame,
  formatHeartbeat,
  formatOpening,
  isAfter,
  mayReceive,
  parseEventId,
} from "./event.ts";

const event = {
  xid: 742n,
  id: 15n,
  at: new Date("2026-03-14T09:26:53.589Z"),
  type: "alert.created",
  subject_id: "a1",
  data: { title: "two\nlines" },
};

describe("a frame", () => {
  it("consists of an id and one line of JSON, whatever the event contains", () => {
    expect(formatFrame(event)).toBe(
      "id: 742-15\n" +
        'data: {"type":"alert.created","subject_id":"a1","at":"2026-03-14T09:26:53.589Z","data":{"title":"two\\nlines"}}\n\n',
    );
  });

  it("opens the stream with the position to resume from, and reports lost events", () => {
    const position = { xid: 7n, id: 0n };
    expect(formatOpening({ position, isReset: false })).toBe("retry: 1000\nid: 7-0\n\n");
    expect(formatOpening({ position, isReset: true })).toBe("retry: 1000\nevent: reset\ndata: {}\nid: 7-0\n\n");
    expect(formatOpening({ position: undefined, isReset: false })).toBe("retry: 1000\n\n");
  });

  it("is, as a heartbeat, a comment that carries the position", () => {
    expect(formatHeartbeat({ xid: 9n, id: 3n })).toBe(": heartbeat\nid: 9-3\n\n");
    expect(formatHeartbeat(undefined)).toBe(": heartbeat\n\n");
  });
});

describe("a Last-Event-ID", () => {
  it("is parsed as a position", () => {
    expect(parseEventId("742-15")).toEqual({ xid: 742n, id: 15n });
  });

  it.each(["", "742", "742-", "-15", "742-15-1", "a-b", "742 -15", "9999999999999999999-1", "1-0x1"])(
    "of the form %j is not a position",
    (text) => {
      expect(parseEventId(text)).toBeUndefined();
    },
  );

  it("is compared by transaction first, then by row, as numbers", () => {
    expect(isAfter({ xid: 10n, id: 1n }, { xid: 9n, id: 5n })).toBe(true);
    expect(isAfter({ xid: 9n, id: 10n }, { xid: 9n, id: 9n })).toBe(true);
    expect(isAfter({ xid: 9n, id: 9n }, { xid: 9n, id: 9n })).toBe(false);
  });
});

describe("a reader of events", () => {
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
  ] as const)("with the role %s may receive %s: %s", (role, type, expected) => {
    expect(mayReceive(caller(role), type, readers)).toBe(expected);
  });

  it("is checked by the scopes of a key and not by its role", () => {
    const key = { kind: "api_key", username: "sensor", role: "agent", scopes: ["alerts:read"] } as const;
    expect(mayReceive(key, "alert.created", readers)).toBe(true);
    expect(mayReceive(key, "approval.requested", readers)).toBe(false);
  });
});
