import process from "node:process";
import type { Condition, Field } from "@kit/query/condition";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryCondition, arbitraryLog } from "../../../testing/fixtures/arbitrary-conditions.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { createStreamMatcher, type StreamRule } from "./stream-matcher.ts";

const numRuns = process.env.PROVE === "full" ? 5000 : 100;

const NOTHING: LogEvent = {
  ...{ id: "1", timestamp: "2026-05-01T08:00:00.000Z", ingested_at: "2026-05-01T08:00:00.000Z", site: "", source: "" },
  ...{ host: "", severity: "info", event_code: "", action: "", outcome: "", user: "", src_ip: "", dst_ip: "" },
  ...{ src_port: 0, dst_port: 0, process: "", message: "", raw: "", attributes: {}, timestamp_origin: "event" },
};
const CHANNEL: Field = { attribute: ["Channel"] };
const CODE: Field = { name: "event_code" };

function is(field: Field, text: string): Condition {
  return { kind: "text", field, pattern: [{ text }], isCased: false };
}

function has(field: Field, text: string): Condition {
  return { kind: "text", field, pattern: [{ wildcard: "any" }, { text }, { wildcard: "any" }], isCased: false };
}

const sourceCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(is(CHANNEL, "Security"), is(CHANNEL, "System"), is(CODE, "1"), is(CODE, "4688")),
  fc.constantFrom<Condition>({ kind: "not", of: { kind: "exists", field: CHANNEL } }, { kind: "all" }),
  fc.constant<Condition>({ kind: "or", of: [is(CHANNEL, "Security"), is(CODE, "1")] }),
);
const rule = fc.tuple(sourceCondition, arbitraryCondition).map(([source, condition]): Condition => {
  return { kind: "and", of: [source, condition] };
});
const channel = fc.constantFrom<unknown[]>(
  "Security",
  "SECURITY",
  "System",
  "Other",
  "",
  ["Security", "System"],
  7,
  null,
);
const log = fc
  .tuple(arbitraryLog, fc.option(channel), fc.constantFrom("1", "4688", ""))
  .map(([each, Channel, event_code]): LogEvent => {
    const attributes = Channel === null ? each.attributes : { ...each.attributes, Channel };
    return { ...each, id: "1", event_code, attributes };
  });

function naive(rules: readonly StreamRule[], each: LogEvent): string[] {
  return rules.filter(({ condition }) => toPredicate(condition)(each)).map(({ id }) => id);
}

describe("the stream matcher", () => {
  it("finds the same as each rule alone, for any rules and events", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(rule, arbitraryCondition), { minLength: 1, maxLength: 8 }),
        fc.array(log, { minLength: 1, maxLength: 8 }),
        (conditions, logs) => {
          const rules = conditions.map((condition, place) => ({ id: `r${place}`, condition }));
          const matcher = createStreamMatcher(rules);
          expect(logs.map((each) => matcher.match(each))).toEqual(logs.map((each) => naive(rules, each)));
        },
      ),
      { numRuns },
    );
  });

  it("evaluates only rules whose text occurs, and only for events of their source", () => {
    const commandLine: Field = { attribute: ["CommandLine"] };
    const matcher = createStreamMatcher([
      { id: "certutil", condition: { kind: "and", of: [is(CHANNEL, "Security"), has(commandLine, "certutil")] } },
      { id: "bitsadmin", condition: { kind: "and", of: [is(CHANNEL, "System"), has(commandLine, "bitsadmin")] } },
    ]);
    const security = { ...NOTHING, attributes: { Channel: "security", CommandLine: "CERTUTIL -urlcache bitsadmin" } };
    expect(matcher.match(security)).toEqual(["certutil"]);
    expect(matcher.evaluations()).toBe(1);
    expect(matcher.match({ ...NOTHING, attributes: { Channel: "Security", CommandLine: "dir" } })).toEqual([]);
    expect(matcher.evaluations()).toBe(1);
    expect(matcher.unindexed).toEqual([]);
  });

  it("evaluates rules for non-ASCII characters only in texts that have such characters", () => {
    const commandLine: Field = { attribute: ["CommandLine"] };
    const texts = ["😀", "\u202e", "É", "\u212a"];
    const matcher = createStreamMatcher(texts.map((text) => ({ id: text, condition: has(commandLine, text) })));
    const met = (CommandLine: string) => matcher.match({ ...NOTHING, attributes: { CommandLine } });
    // The Kelvin sign is a k in lower case, so the rule is a candidate for every text with a k.
    expect(met("net use")).toEqual([]);
    expect(matcher.evaluations()).toBe(1);
    expect(met("kelvin")).toEqual(["\u212a"]);
    expect(matcher.evaluations()).toBe(2);
    expect(met("caf\u00e9 😀")).toEqual(["😀", "É"]);
    expect(matcher.evaluations()).toBe(6);
  });

  it("counts the events on which a regular expression exceeds its budget, and continues with the next event", () => {
    const condition: Condition = {
      ...{ kind: "regex", field: { name: "message" }, source: "a.{900}c", isCased: true },
      ...{ isMultiline: false, dotAll: false },
    };
    const matcher = createStreamMatcher([{ id: "slow", condition }]);
    const bits = Array.from({ length: 20_000 }, (_, n) => (Math.imul(n ^ (n >>> 7), 2_654_435_761) >>> 28) & 1);
    expect(matcher.match({ ...NOTHING, message: `${bits.map((bit) => "ab"[bit]).join("")}c` })).toEqual([]);
    expect(matcher.takeExhausted()).toEqual(new Map([["slow", 1]]));
    expect(matcher.match({ ...NOTHING, message: `a${"b".repeat(900)}c` })).toEqual(["slow"]);
    expect(matcher.takeExhausted()).toEqual(new Map());
  });

  it("evaluates a rule without required text for every event", () => {
    const matcher = createStreamMatcher([
      { id: "no-user", condition: { kind: "not", of: { kind: "exists", field: { name: "user" } } } },
    ]);
    expect(matcher.unindexed).toEqual(["no-user"]);
    expect(matcher.match(NOTHING)).toEqual(["no-user"]);
    expect(matcher.match({ ...NOTHING, user: "root" })).toEqual([]);
  });

  it("returns each rule once, in the given order", () => {
    const message: Field = { name: "message" };
    const rules = ["c", "a", "b"].map((id) => ({ id, condition: has(message, id) }));
    expect(createStreamMatcher(rules).match({ ...NOTHING, message: "a b c a b c" })).toEqual(["c", "a", "b"]);
  });
});
