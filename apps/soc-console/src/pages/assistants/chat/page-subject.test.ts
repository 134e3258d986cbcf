import { expect, it } from "vitest";
import { nameSubject, readSubject } from "./page-subject.ts";

const ID = "019a0000-0000-7000-8002-000000000017";

it.each([
  [`/alerts/${ID}`, {}, { kind: "alert", value: ID }],
  [`/cases/${ID}/runs`, {}, { kind: "case", value: ID }],
  ["/alerts", { pane: ID }, { kind: "alert", value: ID }],
  ["/entity/host/fin-ws-014", {}, { kind: "host", value: "fin-ws-014" }],
  ["/entity/ip/2001%3Adb8%3A%3A1", {}, { kind: "address", value: "2001:db8::1" }],
  ["/entity/user/%E0%A4%A", {}, { kind: "user", value: "%E0%A4%A" }],
])("reads the subject of %s", (path, search, subject) => {
  expect(readSubject(path, search)).toEqual(subject);
});

it.each([["/"], ["/alerts"], ["/hunt"], ["/entity/domain/a.example"], ["/agents/investigations/x"]])(
  "finds no subject at %s",
  (path) => {
    expect(readSubject(path, { pane: "agent-001" })).toBeUndefined();
  },
);

it("adds the subject only to questions that refer to it", () => {
  const subject = { kind: "alert", value: ID } as const;
  expect(nameSubject("how does this alert stand", subject)).toBe(`how does this alert stand (alert ${ID})`);
  expect(nameSubject("what is new", subject)).toBe("what is new");
  expect(nameSubject(`is this alert ${ID} new`, subject)).toBe(`is this alert ${ID} new`);
  expect(nameSubject("ما هذا", subject)).toBe(`ما هذا (alert ${ID})`);
  expect(nameSubject("what is this", undefined)).toBe("what is this");
});
