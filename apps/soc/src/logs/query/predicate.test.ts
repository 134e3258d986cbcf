import type { Condition } from "@kit/query/condition";
import { parseQuery } from "@kit/query/query";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../../ports/log-event.ts";
import { toPredicate } from "./predicate.ts";

const LOG: LogEvent = {
  id: "019680aa-0000-7000-8000-000000000001",
  timestamp: "2026-05-31T08:30:00.250Z",
  timestamp_origin: "event",
  ingested_at: "2026-05-31T08:30:01.000Z",
  site: "hq",
  source: "sshd",
  host: "SRV-7",
  severity: "high",
  event_code: "4625",
  action: "logon",
  outcome: "failure",
  user: "Änne",
  src_ip: "10.1.2.3",
  dst_ip: "2001:db8::7",
  src_port: 50_022,
  dst_port: 0,
  process: String.raw`C:\Windows\System32\cmd.exe`,
  message: "Failed password for root7 from 10.1.2.3 (100%)",
  raw: "<38>sshd[7]: Failed password\nfor root7",
  attributes: {
    bytes: 1500,
    ratio: 1e21,
    elevated: true,
    tags: ["Alpha", "beta", null, 7, ["nested"], { deep: "er" }],
    client: { ip: "192.0.2.9", "geo.country": "NO" },
    "dotted.name": "x",
    empty: "",
    nothing: null,
    list: [],
    copy: "änne",
  },
};

/** A text of a and b without a pattern: an automaton reaches a new state at nearly every character. */
const IRREGULAR = Array.from({ length: 100_000 }, (_, n) =>
  (Math.imul(n ^ (n >>> 7), 2_654_435_761) >>> 28) & 1 ? "a" : "b",
).join("");

describe("a regular expression", () => {
  const regex = (source: string, name: "message" | "raw" = "message"): Condition => ({
    ...{ kind: "regex", field: { name }, source, isCased: true, isMultiline: false, dotAll: false },
  });

  it("stops at its step budget for an event, counts as no match and is reported", () => {
    let exhausted = 0;
    const isMatch = toPredicate(regex("a.{900}c"), () => {
      exhausted += 1;
    });
    expect(isMatch({ ...LOG, message: IRREGULAR })).toBe(false);
    expect(exhausted).toBe(1);
    expect(isMatch({ ...LOG, message: `a${"b".repeat(900)}c` })).toBe(true);
    expect(exhausted).toBe(1);
  });

  it("shares its budget with the other expressions of the same condition", () => {
    const both: Condition = { kind: "or", of: [regex("a.{900}c"), regex("^b", "raw")] };
    const predicate = toPredicate(both);
    expect(predicate({ ...LOG, message: IRREGULAR, raw: "b" })).toBe(false);
    expect(predicate({ ...LOG, message: "", raw: "b" })).toBe(true);
  });

  it("gives an event a step budget that long texts and usual expressions do not exhaust", () => {
    let exhausted = 0;
    const isMatch = toPredicate(regex("(?i)powershell.{0,40}-e(?:nc|ncodedcommand)?\\s+[A-Za-z0-9+/=]{20,}"), () => {
      exhausted += 1;
    });
    const message = `${"C:\\Windows\\System32\\x.exe -flag value ".repeat(2000)}powershell -enc ${"QUJD".repeat(9)}`;
    expect(isMatch({ ...LOG, message })).toBe(true);
    expect(exhausted).toBe(0);
  });
});

describe("a predicate", () => {
  it.each([
    ["failed root7", true],
    ["FAILED Root7", true],
    ["passwor", false],
    ["root7 sshd", true],
    ['"password for"', true],
    ['"for password"', false],
    ["passw*root", true],
    ["100%", true],
    ["host:srv-7", true],
    ["host:srv-?", true],
    ["host:srv-??", false],
    ["host:srv", false],
    ["user:änne", true],
    ["user:ÄNNE", true],
    [String.raw`process:*\cmd.exe`, true],
    [String.raw`process:C:\Windows\*`, false],
    [String.raw`process:C:\Windows\\*`, true],
    ["raw:password", true],
    ["severity:>=medium", true],
    ["severity:<high", false],
    ["event_code:[4624 TO 4625]", true],
    ["event_code:>4625", false],
    ["src_ip:10.1.2.3", true],
    ["src_ip:10.0.0.0/8", true],
    ["src_ip:10.1.2.0/31", false],
    ["src_ip:10.1.*", true],
    ["dst_ip:2001:0db8:0::7", true],
    ["dst_ip:2001:db8::/32", true],
    ["dst_ip:10.0.0.0/8", false],
    ["src_port:>=50000", true],
    ["src_port:500*", true],
    ["dst_port:*", false],
    ["dst_port:0", false],
    ["dst_port:<=1023", false],
    ["NOT dst_port:*", true],
    ['dst_ip:"2001:0DB8:0:0:0:0:0:7"', true],
    ["timestamp:2026-05-31", true],
    ["timestamp:2026-05-31T08:30:00.250Z", true],
    ["timestamp:>2026-05-31T08:30:00.250Z", false],
    ["timestamp:>=2026-06-01", false],
    ["attributes.bytes:1500", true],
    ["attributes.bytes:>1499.5", true],
    ["attributes.ratio:1e21", true],
    ["attributes.elevated:TRUE", true],
    ["attributes.tags:alpha", true],
    ["attributes.tags:(gamma OR b*)", true],
    ["attributes.tags:7", true],
    ["attributes.tags:nested", false],
    ["attributes.tags.deep:er", false],
    ["attributes.client.ip:192.0.2.0/24", true],
    ["attributes.client.geo.country:no", true],
    ["attributes.dotted.name:x", true],
    ["attributes.client:*", false],
    ["attributes.client.ip:*", true],
    ["attributes.empty:*", false],
    ['attributes.empty:""', true],
    ["attributes.nothing:*", false],
    ['attributes.nothing:""', false],
    ["attributes.list:*", false],
    ["attributes.toString:*", false],
    ["attributes.__proto__:*", false],
    ["NOT attributes.missing:x", true],
    ["user:root OR failed NOT host:x", true],
    ["sshd", true],
    ["message:sshd", false],
    ["ssh", false],
    ["failed sshd", true],
    ['"sshd["', true],
    ["ssh*", true],
  ])("evaluates the query %s: %s", (query, isFound) => {
    expect(toPredicate(parseQuery(query))(LOG)).toBe(isFound);
  });

  it.each<[string, Condition, boolean]>([
    ["a part of the raw event", { kind: "anywhere", pattern: [{ text: "SSHD[" }], isCased: false }, true],
    ["a part of the raw event with its case", { kind: "anywhere", pattern: [{ text: "SSHD[" }], isCased: true }, false],
    [
      "a regular expression",
      {
        kind: "regex",
        field: { name: "message" },
        source: "root\\d+ from (?:\\d+\\.){3}",
        isCased: true,
        isMultiline: false,
        dotAll: false,
      },
      true,
    ],
    [
      "equality with another field",
      { kind: "same", field: { name: "user" }, other: { attribute: ["copy"] }, how: "equals", isCased: false },
      true,
    ],
    [
      "equality with another field and its case",
      { kind: "same", field: { name: "user" }, other: { attribute: ["copy"] }, how: "equals", isCased: true },
      false,
    ],
    [
      "whether a field contains another field",
      { kind: "same", field: { name: "message" }, other: { name: "src_ip" }, how: "contains", isCased: true },
      true,
    ],
    [
      "an empty other field, which never matches",
      { kind: "same", field: { name: "user" }, other: { attribute: ["empty"] }, how: "contains", isCased: true },
      false,
    ],
    ["a list of no words, which never matches", { kind: "words", words: ["--"] }, false],
    ["a list of no conditions, which always matches", { kind: "and", of: [] }, true],
    ["a list of no alternatives, which never matches", { kind: "or", of: [] }, false],
  ])("tests %s", (_, condition, isFound) => {
    expect(toPredicate(condition)(LOG)).toBe(isFound);
  });

  it("matches a question mark with one character, even if it has two code units", () => {
    const withEmoji = { ...LOG, user: "a😀b😀" };
    expect(toPredicate(parseQuery("user:a?b?"))(withEmoji)).toBe(true);
    expect(toPredicate(parseQuery("user:a??b*"))(withEmoji)).toBe(false);
    expect(toPredicate(parseQuery("user:*b?"))(withEmoji)).toBe(true);
    expect(toPredicate(parseQuery("user:*??b?"))(withEmoji)).toBe(true);
    expect(toPredicate(parseQuery("user:*???b?"))(withEmoji)).toBe(false);
  });
});
