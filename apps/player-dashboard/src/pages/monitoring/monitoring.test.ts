import type { SentBody, SentMessage } from "@player/service/contract/monitoring";
import { describe, expect, it } from "vitest";
import { checkFingerprint, findEnrolTrouble } from "./enrol-trouble.ts";
import { joinPages } from "./join-pages.ts";
import { momentWords } from "./moment-words.ts";
import { monitoringPhrases } from "./monitoring-phrases.ts";
import { prettyContent } from "./pretty-content.ts";

describe("a refused enrolment", () => {
  it.each([
    ["address", "address_malformed", { field: "address", trouble: "address" }],
    ["address", "address_forbidden", { field: "address", trouble: "forbidden" }],
    ["address", "other_name", { field: "address", trouble: "otherName" }],
    ["address", "unreachable", { field: "address", trouble: "unreachable" }],
    ["address", undefined, { field: "address", trouble: "unreachable" }],
    ["authority_fingerprint", "fingerprint_malformed", { field: "authority_fingerprint", trouble: "fingerprint" }],
    ["authority_fingerprint", "foreign_authority", { field: "authority_fingerprint", trouble: "otherAuthority" }],
    ["code", undefined, { field: "code", trouble: "code" }],
    ["clock", "wrong_time", { field: "address", trouble: "clock" }],
    [undefined, undefined, undefined],
  ])("shows the refusal of %s with the code %s at its field", (field, code, trouble) => {
    expect(findEnrolTrouble({ field, code })).toEqual(trouble);
  });

  it("rejects an invalid fingerprint before sending", () => {
    expect([
      checkFingerprint("0A:".repeat(32)),
      checkFingerprint("0a".repeat(31)),
      checkFingerprint("zz".repeat(32)),
    ]).toEqual([true, false, false]);
  });
});

it("joins the newest page, which grows, and the older ones, each message once", () => {
  const message = (id: number): SentMessage => ({
    id,
    at: id,
    kind: "receipt",
    bytes: 1,
    delivered: true,
    content: "",
  });
  const page = (ids: number[], next_cursor: number | null): SentBody => ({
    ...{ items: ids.map(message), next_cursor, removed: { count: 0, until: null } },
  });
  const { items, next_cursor } = joinPages(page([9, 8, 7], 7), [page([7, 6], 6), page([5], null)]);
  expect([items.map(({ id }) => id), next_cursor]).toEqual([[9, 8, 7, 6, 5], null]);
  expect(joinPages(page([3], null), [])).toEqual({ items: [message(3)], next_cursor: null });
});

it("formats the JSON inside an answer, and shows other text unchanged", () => {
  const content = JSON.stringify({ kind: "software", measurement: JSON.stringify({ nonce: "00" }) });
  expect(prettyContent(content)).toBe(`{
  "kind": "software",
  "measurement": {
    "nonce": "00"
  }
}`);
  expect(prettyContent("{half")).toBe("{half");
});

it("formats a time by the clock of the device", () => {
  const clock = { timezone: "<+03>-3", time_format_24h: false };
  // 2026-11-15T21:30:00Z
  expect(momentWords(clock, 1_794_778_200, "en")).toBe("16 Nov, 12:30 AM");
  expect(momentWords(clock, 1_794_778_200, "ar")).toBe("١٦ نوفمبر، ١٢:٣٠ ص");
  expect(momentWords(undefined, 1_794_778_200, "en")).toBe("15 Nov, 21:30");
});

it("has the same phrases in both languages", () => {
  const { en, ar } = monitoringPhrases;
  expect(Object.keys(ar)).toEqual(Object.keys(en));
  expect([ar.sentThings.length, ar.neverThings.length]).toEqual([en.sentThings.length, en.neverThings.length]);
});
