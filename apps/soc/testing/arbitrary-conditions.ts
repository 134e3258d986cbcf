import fc from "fast-check";
import type { Condition, Field, Pattern } from "../src/siem/condition.ts";
import { FIELD_KINDS } from "../src/siem/condition-field.ts";
import { checkRegex } from "../src/siem/condition-regex.ts";
import { LOG_SEVERITIES, type Log } from "../src/siem/log.ts";

/** Text that something on the way could take for more than text. */
export const TEXTS = [
  ...[
    "",
    "a",
    "A",
    "ab",
    "aB",
    "a'b",
    'a"b',
    "a\\b",
    "a\\\\b",
    "a%b",
    "a_b",
    "axb",
    "100%",
    "a\nb",
    "a\r\nb",
    "\t",
    "\n",
  ],
  ...[
    "\u0000",
    "a\u0000b",
    "😀",
    "x😀y",
    "é",
    "É",
    "İ",
    "i̇",
    "ß",
    "ẞ",
    "\u212a",
    "k",
    "ſ",
    "ΣΑΣ",
    "σας",
    "日本 語",
    "مرحبا",
  ],
  ...[
    "(a",
    "[a-z]",
    "a.b",
    "^a$",
    "a|b",
    "a*b",
    "a?b",
    "{p0:String}",
    "'; DROP TABLE logs --",
    "`a`",
    "$1",
    "/etc/passwd",
  ],
  ...[
    "10.0.0.1",
    "10.0.0.255",
    "010.0.0.1",
    "10.0.0.01",
    "10.0.0",
    "::1",
    "FE80::1",
    "::ffff:10.0.0.1",
    "::ffff:10.0.0.01",
  ],
  ...[
    "0",
    "1",
    "1.5",
    "-1",
    "+1",
    "1e3",
    "1e400",
    "0x10",
    "inf",
    "nan",
    " 1",
    "00012",
    "443",
    "1e21",
    "9007199254740993",
  ],
  ...["true", "false", "[1]", "['a']", "null", "NULL", "\\N", "2026-05-01", "2026-05-01T08:00:00Z", "high"],
  ...[
    "Failed password for ROOT7 from 10.0.0.1",
    "failed_password-for root7",
    "foo\u00a0bar",
    "x\u0000y z",
    "K kelvin k",
  ],
];
const NAMES = [
  "a",
  "a.b",
  "b",
  "null",
  "size0",
  "we`ird",
  "q'uote",
  "back\\slash",
  "new\nline",
  "é😀",
  "{p0:String}",
  "^a",
  "a[]",
  " ",
];

const text = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS), weight: 8 },
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }), weight: 1 },
  { arbitrary: fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 }).map((texts) => texts.join(" ")), weight: 1 },
);
const scalar = fc.oneof(
  { arbitrary: text, weight: 4 },
  fc.integer(),
  fc
    .double({ noDefaultInfinity: true, noNaN: true })
    .filter((value) => Math.abs(value) < 2 ** 63 || Math.abs(value) >= 1e21),
  fc.constantFrom(0, 1, -1, 443, 1.5, 1e-7, 1e-6, 1e21, 2 ** 53, 0.1, 1e300, 5e-324),
  fc.boolean(),
);
const leaf = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  fc.array(text, { maxLength: 3 }),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.array(fc.oneof(scalar, fc.constant(null), fc.constant([1, "a"]), fc.constant({ a: "b" })), { maxLength: 4 }),
  fc.constant(null),
);
const attributes = fc.oneof(
  fc.dictionary(fc.constantFrom(...NAMES), leaf, { maxKeys: 5 }),
  fc.record({ a: fc.record({ b: leaf, c: leaf }, { requiredKeys: [] }), b: leaf }, { requiredKeys: [] }),
);
const instant = fc.date({ min: new Date("1990-01-01"), max: new Date("2090-01-01"), noInvalidDate: true });
// A partition is a day of arrival.
const arrival = fc.date({ min: new Date("2026-05-01"), max: new Date("2026-05-03"), noInvalidDate: true });
const port = fc.oneof(fc.constantFrom(0, 22, 443, 65_535), fc.integer({ min: 0, max: 65_535 }));
export const arbitraryLog: fc.Arbitrary<Omit<Log, "id">> = fc.record({
  timestamp: instant.map((date) => date.toISOString()),
  ingested_at: arrival.map((date) => date.toISOString()),
  site: text,
  source: text,
  host: text,
  severity: fc.constantFrom(...LOG_SEVERITIES),
  event_code: text,
  action: text,
  outcome: text,
  user: text,
  src_ip: text,
  dst_ip: text,
  src_port: port,
  dst_port: port,
  process: text,
  message: text,
  raw: text,
  attributes,
});

const LOG_FIELDS = Object.keys(FIELD_KINDS) as (keyof typeof FIELD_KINDS)[];
const field: fc.Arbitrary<Field> = fc.oneof(
  fc.constantFrom(...LOG_FIELDS).map((name) => ({ name })),
  fc.constantFrom(...NAMES, "a.c", "missing").map((name) => ({ attribute: name.split(".") })),
);
const isCased = fc.boolean();
const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  text.map((each) => [{ text: each }]),
  text.map((each) => [{ wildcard: "any" as const }, { text: each }, { wildcard: "any" as const }]),
  fc.array(
    fc.oneof(
      text.map((each) => ({ text: each })),
      text.map((each) => ({ text: each.slice(0, 1).replace(/\p{Surrogate}/u, "x") })),
      fc.constantFrom({ wildcard: "any" as const }, { wildcard: "one" as const }),
    ),
    { maxLength: 5 },
  ),
);
const regexSource = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(
      "a",
      "b",
      "1",
      "\\.",
      "x",
      "é",
      "😀",
      "k",
      "\\x41",
      "\\t",
      "%",
      "'",
      "_",
      "-",
      "\\\\",
      "{",
      "\u0000",
    ),
    fc.constantFrom(".", "^", "$", "\\b", "\\d", "\\w", "\\s", "\\W", "[a-f]", "[^a]", "[^\\n]", "[é\\d]", "[]x]"),
    fc.tuple(tie("regex"), tie("regex")).map((parts) => parts.join("")),
    fc.tuple(tie("regex"), tie("regex")).map((parts) => `(?:${parts.join("|")})`),
    fc
      .tuple(tie("regex"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"))
      .map(([of, count]) => `(?:${of})${count}`),
    tie("regex").map((of) => `(?i:${of})`),
  ),
})).regex;
const comparison = fc.constantFrom("lt", "le", "gt", "ge" as const);
const network = fc.constantFrom(
  { address: "10.0.0.0", prefixBits: 8 },
  { address: "10.0.0.1", prefixBits: 32 },
  { address: "0.0.0.0", prefixBits: 0 },
  { address: "fe80::", prefixBits: 10 },
  { address: "::", prefixBits: 0 },
  { address: "::1", prefixBits: 128 },
);
export const { condition: arbitraryCondition } = fc.letrec<{ condition: Condition; simple: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    tie("simple"),
    fc.record({ kind: fc.constantFrom("and", "or"), of: fc.array(tie("condition"), { maxLength: 3 }) }),
    fc.record({ kind: fc.constant("not"), of: tie("condition") }),
  ),
  simple: fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant("text"), field, pattern, isCased }), weight: 5 },
    fc.record({ kind: fc.constant("words"), words: fc.array(text, { maxLength: 2 }) }),
    fc.record({ kind: fc.constant("anywhere"), pattern, isCased }),
    {
      arbitrary: fc.record({
        kind: fc.constant("regex"),
        field,
        source: regexSource.filter((source) => checkRegex(source) === undefined),
        isCased,
        isMultiline: fc.boolean(),
        dotAll: fc.boolean(),
      }),
      weight: 2,
    },
    fc.record({
      kind: fc.constant("number"),
      field,
      comparison: fc.oneof(comparison, fc.constant("eq")),
      value: fc.oneof(
        fc.constantFrom(0, 1, 1.5, -1, 443, 1000, 1e21),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
      ),
    }),
    fc.record({
      kind: fc.constant("instant"),
      field: fc.constantFrom({ name: "timestamp" }, { name: "ingested_at" }),
      comparison,
      value: fc.oneof(
        instant.map((date) => date.getTime()),
        arrival.map((date) => date.getTime()),
        fc.constantFrom(-1e15, 1e15),
      ),
    }),
    fc.record({ kind: fc.constant("network"), field }).chain((of) => network.map((each) => ({ ...of, ...each }))),
    fc.record({ kind: fc.constant("exists"), field }),
    fc.record({
      kind: fc.constant("same"),
      field,
      other: field,
      how: fc.constantFrom("equals", "startswith", "endswith", "contains"),
      isCased,
    }),
  ),
}));
