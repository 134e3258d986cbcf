import { Problem } from "@kit/problem";
import type { Condition, Pattern } from "@kit/query/condition";
import { FIELD_KINDS } from "@kit/query/log-field";
import { parseQuery } from "@kit/query/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryCondition, TEXTS } from "../../../testing/fixtures/arbitrary-conditions.ts";
import { toSql } from "./condition-sql.ts";

const numRuns = process.env.PROVE === "full" ? 50_000 : 500;

const FUNCTIONS = [
  ...[
    "arrayConcat",
    "arrayExists",
    "arrayFilter",
    "arrayMap",
    "assumeNotNull",
    "concat",
    "dynamicElement",
    "dynamicType",
  ],
  ...["endsWith", "fromUnixTimestamp64Milli", "getSubcolumn", "hasAllTokens", "if", "ifNull", "isFinite", "isNotNull"],
  ...[
    "lower",
    "lowerUTF8",
    "match",
    "multiSearchAny",
    "position",
    "replaceOne",
    "startsWith",
    "substring",
    "toFloat64OrNull",
    "toIPv6",
    "toIPv6OrNull",
    "toString",
  ],
];
const LITERALS = [
  ...["'\\n'", "''", "' '", "'T'", "'Z'", "'Array'", "'String'", "'Int64'", "'UInt64'", "'Float64'", "'Bool'"],
  ...[
    "'Array(Nullable(String))'",
    "'Array(Nullable(Int64))'",
    "'Array(Nullable(Float64))'",
    "'Array(Nullable(Bool))'",
    "'Array(Dynamic)'",
    "'(^|[.:])0[0-9]+[.]|[.]0[0-9]+$'",
  ],
];
const WORDS = [
  "AND",
  "OR",
  "NOT",
  "LIKE",
  "IN",
  "BETWEEN",
  "true",
  "false",
  "message",
  "raw",
  "attributes",
  "v",
  "w",
  "x",
  "0",
  "1",
];
const MARKS = ["(", ")", "[", "]", ",", "->", "=", "!=", "<=", ">=", "<", ">", "attributes."];
const COLUMNS = Object.keys(FIELD_KINDS).map((name) => `\`${name}\``);
const PLACE = /\{p\d+:(?:String|Float64|Int64|Identifier|Array\(String\))\}/y;
const ALLOWED = [...FUNCTIONS.map((name) => `${name}(`), ...LITERALS, ...COLUMNS, ...MARKS].toSorted(
  (a, b) => b.length - a.length,
);

/** Splits a statement into its parts; a part that is not on a list fails the test. */
function splitSql(sql: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < sql.length; ) {
    PLACE.lastIndex = at;
    const word = /^[A-Za-z0-9_]+/.exec(sql.slice(at))?.[0];
    const part =
      PLACE.exec(sql)?.[0] ??
      ALLOWED.find((each) => sql.startsWith(each, at)) ??
      (word !== undefined && WORDS.includes(word) ? word : undefined) ??
      (sql[at] === " " ? " " : undefined);
    if (part === undefined) throw new Error(`an unknown part in the SQL: ${sql.slice(at, at + 40)}`);
    parts.push(part);
    at += part.length;
  }
  return parts;
}

function checkShape(condition: Condition): void {
  const { sql, parameters } = toSql(condition);
  const parts = splitSql(sql);
  const depth = (open: RegExp) => parts.filter((part) => open.test(part)).length;
  expect(depth(/\($/)).toBe(depth(/^\)$/));
  const places = new Set(parts.filter((part) => part.startsWith("{")).map((part) => part.slice(1, part.indexOf(":"))));
  expect([...places].toSorted()).toEqual(Object.keys(parameters).toSorted());
  for (const value of Object.values(parameters).flat()) expect(typeof value).toBe("string");
}

const HOSTILE = [
  ...[
    "file('/etc/passwd')",
    "url('http://x')",
    "remote('h', db.t)",
    "') OR 1=1 --",
    "'; DROP TABLE logs --",
    "`) UNION ALL SELECT 1",
  ],
  ...[
    "{p0:String}",
    "{p0:Identifier}",
    "\\'",
    "\u0000",
    "/*",
    "*/",
    "system.users",
    "executable('x')",
    "s3('x')",
    "%s",
  ],
];
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE, ...TEXTS),
  fc.constantFrom(
    "(",
    ")",
    " ",
    " ",
    " ",
    " AND ",
    " OR ",
    " NOT ",
    '"',
    "*",
    "?",
    ":",
    "\\",
    "[",
    "]",
    "{",
    "}",
    " TO ",
    ">=",
    "<",
  ),
  fc.constantFrom(
    ...Object.keys(FIELD_KINDS).map((name) => `${name}:`),
    "attributes.",
    "attributes.a.b:",
    "attributes.`:",
  ),
  fc.constantFrom("10.0.0.0/8", "443", "high", "2026-05-31", "now-1h", "failed", "[1 TO 5]", '"two words"'),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const query = fc.oneof(
  { arbitrary: fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")), weight: 3 },
  {
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom("user:", "attributes.x:", "message:", "", "NOT "),
          fc.constantFrom(...HOSTILE, ...TEXTS),
        ),
        {
          maxLength: 6,
        },
      )
      .map((terms) => terms.map(([field, value]) => `${field}"${value.replaceAll(/["\\]/g, "\\$&")}"`).join(" OR ")),
    weight: 1,
  },
  fc.string({ unit: "binary", maxLength: 60 }),
);

describe("the SQL of a query", () => {
  it("uses only known parts for any query and binds every value", { timeout: 600_000 }, () => {
    let accepted = 0;
    fc.assert(
      fc.property(query, (text) => {
        let condition: Condition;
        try {
          condition = parseQuery(text, { now: new Date("2026-05-31T12:00:00.000Z") });
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
          const place = Number(/^query: .+, at character (\d+)$/s.exec((error as Problem).message)?.[1]);
          expect(place).toBeGreaterThanOrEqual(1);
          expect(place).toBeLessThanOrEqual(Array.from(text).length + 1);
          return;
        }
        accepted += 1;
        checkShape(condition);
      }),
      { numRuns },
    );
    expect(accepted).toBeGreaterThan(numRuns / 5);
  });

  it("uses only known parts for any condition", { timeout: 600_000 }, () => {
    fc.assert(fc.property(arbitraryCondition, checkShape), { numRuns });
  });
});

describe("the SQL of a condition", () => {
  it.each<[string, Condition, string, Record<string, string>]>([
    [
      "compares an address directly, so that an index can be used",
      parseQuery("src_ip:10.0.0.7"),
      "`src_ip` = {p0:String}",
      { p0: "10.0.0.7" },
    ],
    ["compares a text case-insensitively", parseQuery("user:Root"), "lowerUTF8(`user`) = {p0:String}", { p0: "root" }],
    [
      "escapes wildcard characters in a pattern",
      parseQuery("user:100%*"),
      "`user` LIKE {p0:String}",
      { p0: "100\\%%" },
    ],
    [
      "looks up words together",
      parseQuery("FAILED root7"),
      "hasAllTokens(lower(concat(message, '\\n', raw)), {p0:String})",
      { p0: "failed root7" },
    ],
    [
      "looks up words of the message with the same index",
      parseQuery("message:failed"),
      "(hasAllTokens(lower(concat(message, '\\n', raw)), {p0:String}) AND hasAllTokens(lower(message), {p0:String}))",
      { p0: "failed" },
    ],
    [
      "compares an instant in milliseconds",
      parseQuery("timestamp:>=2026-05-31"),
      "`timestamp` >= fromUnixTimestamp64Milli({p0:Int64})",
      { p0: "1780185600000" },
    ],
    ["is false for an empty list", { kind: "or", of: [] }, "false", {}],
  ])("compiles a condition: %s", (_, condition, sql, parameters) => {
    expect(toSql(condition)).toEqual({ sql, parameters });
  });

  it("reads an attribute once for all alternatives", () => {
    const { sql } = toSql(parseQuery("attributes.image:(a OR b OR *c)"));
    expect(sql.match(/arrayExists/g)).toHaveLength(1);
  });

  it("looks up many values of a field in a few sets, and keeps the values out of the SQL", () => {
    const values = Array.from({ length: 1000 }, (_, at) => `package-${at}@1.0.${at}`);
    const patterns: Pattern[] = values.flatMap((text): Pattern[] => [
      [{ text }],
      [{ wildcard: "any" }, { text }, { wildcard: "any" }],
      [{ text }, { wildcard: "any" }],
      [{ wildcard: "any" }, { text }],
    ]);
    const of = patterns.map(
      (pattern): Condition => ({ kind: "text", field: { attribute: ["c"] }, pattern, isCased: false }),
    );
    const { sql, parameters } = toSql({ kind: "or", of });
    expect(sql.length).toBeLessThan(4000);
    expect(Object.values(parameters).flat()).toEqual(expect.arrayContaining(values));
  });

  it("looks up many keywords in the message and in the raw event together", () => {
    const of = Array.from(
      { length: 300 },
      (_, at): Condition => ({ kind: "anywhere", pattern: [{ text: `word${at}` }], isCased: false }),
    );
    const { sql } = toSql({ kind: "or", of });
    expect(sql.match(/multiSearchAny/g)).toHaveLength(4);
  });

  it.each<[string, (at: number) => Pattern, RegExp]>([
    [
      "alternatives",
      (at) => [{ text: `a${at}` }, { wildcard: "any" }, { text: "b" }],
      /^query: is too large for the log store: \d+ characters of SQL, at most 131072$/,
    ],
    [
      "values",
      (at) => [{ text: `${at}`.padEnd(100, "x") }],
      /^query: is too large for the log store: \d+ characters of values, at most 524288$/,
    ],
  ])("refuses a condition with too many %s in words", (_, toPattern, why) => {
    const of = Array.from(
      { length: 10_000 },
      (__, at): Condition => ({ kind: "text", field: { name: "user" }, pattern: toPattern(at), isCased: false }),
    );
    expect(() => toSql({ kind: "or", of })).toThrow(why);
  });

  it("names its parameters with the given prefix", () => {
    expect(toSql(parseQuery("user:1"), "second_")).toEqual({
      sql: "`user` = {second_0:String}",
      parameters: { second_0: "1" },
    });
  });

  it("refuses an instant condition on a field without instants", () => {
    const condition: Condition = { kind: "instant", field: { name: "user" }, comparison: "ge", value: 0 };
    expect(() => toSql(condition)).toThrow("instant: only timestamp and ingested_at hold an instant");
  });
});
