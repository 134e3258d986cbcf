import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRegex, parseRegex, type RegexFlags } from "./condition-regex.ts";
import { toRe2 } from "./condition-regex-print.ts";
import { toRegexMatcher } from "./predicate-regex.ts";

const PLAIN: RegexFlags = { isCased: true, isMultiline: false, dotAll: false };
const createTestMatcher = (source: string, flags: Partial<RegexFlags> = {}) =>
  toRegexMatcher(parseRegex(source, { ...PLAIN, ...flags }), { left: Number.POSITIVE_INFINITY });

describe("a regular expression", () => {
  it.each([
    ["abc", "xabcx", true],
    ["abc", "ABC", false],
    ["(?i)abc", "xABCx", true],
    ["a(?i:b)c", "aBc", true],
    ["a(?i:b)c", "aBC", false],
    ["^a.c$", "abc", true],
    ["^a.c$", "a\nc", false],
    ["(?s)^a.c$", "a\nc", true],
    ["^b", "a\nb", false],
    ["(?m)^b$", "a\nb\nc", true],
    ["(?m)^b$", "a\r\nb\r\nc", false],
    ["^.$", "😀", true],
    ["[^/]{3,}$", "a/bcd", true],
    ["[^/]{3,}$", "a/bc", false],
    [String.raw`\bcmd\b`, "run cmd /c", true],
    [String.raw`\bcmd\b`, "cmdlet", false],
    [String.raw`\x41\u00e9\x{1F600}`, "Aé😀", true],
    [String.raw`\d+\s\w`, "12 a", true],
    [String.raw`[\d\-x]+$`, "1-x", true],
    ["[]a]", "]", true],
    ["[^]a]", "]a", false],
    ["{", "a{b", true],
    ["a{,2}", "a{,2}", true],
    ["(?P<name>a)(?<other>b)", "ab", true],
    ["a|", "", true],
    ["", "", true],
    ["(?:)*a", "a", true],
    ["É", "é", false],
    ["(?i)É", "é", true],
    ["(?i)[k]", "\u212a", false],
    ["(?i)[a-c]", "B", true],
    ["(?i)[^a]", "A", false],
  ])("matches %j against %j: %s", (source, text, isFound) => {
    expect(checkRegex(source)).toBeUndefined();
    expect(createTestMatcher(source)(text)).toBe(isFound);
  });

  const source = fc.letrec<{ regex: string }>((tie) => ({
    regex: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("a", "b", "c", ".", "^", "$", "\\b", "\\d", "\\w", "[ab]", "[^a]", "[a-c1]", "\\."),
      fc.tuple(tie("regex"), tie("regex")).map((parts) => parts.join("")),
      fc.tuple(tie("regex"), tie("regex")).map((parts) => `(${parts.join("|")})`),
      fc
        .tuple(tie("regex"), fc.constantFrom("*", "+", "?", "{2}", "{0,2}", "{2,}"))
        .map(([of, count]) => `(?:${of})${count}`),
    ),
  })).regex;

  it("finds the same matches as JavaScript's own engine", () => {
    let found = 0;
    fc.assert(
      fc.property(
        source.filter((each) => checkRegex(each) === undefined),
        fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", "1", " ", ".", "\n"), maxLength: 8 }), {
          minLength: 5,
          maxLength: 5,
        }),
        fc.boolean(),
        (each, texts, dotAll) => {
          const expected = new RegExp(each, dotAll ? "su" : "u");
          const matches = createTestMatcher(each, { dotAll });
          for (const text of texts) {
            expect(matches(text)).toBe(expected.test(text));
            if (matches(text)) found += 1;
          }
        },
      ),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(1000);
  });

  it.each(["(a+)+$", "^(a|a)*$", "(a|aa)+$", "(.*a){12}$", "([a-z]+)*[0-9]", ".*.*.*.*=.*"])(
    "matches %s in time proportional to the text",
    (explosive) => {
      const matches = createTestMatcher(explosive);
      const started = performance.now();
      expect(matches(`${"a".repeat(100_000)}!`)).toBe(false);
      expect(performance.now() - started).toBeLessThan(2000);
    },
  );

  it("limits the number of automaton states, however many the text needs", () => {
    const matches = createTestMatcher("(?:a|b)*a(?:a|b){14}$");
    const text = Array.from({ length: 20_000 }, (_, at) => (((at * at) % 7) % 2 === 0 ? "a" : "b")).join("");
    expect(matches(text)).toBe(/a[ab]{14}$/.test(text));
  });

  it.each([
    ["a(?=b)", "regex: look-around is not supported, at character 2"],
    ["(?<!a)b", "regex: look-around is not supported, at character 1"],
    [String.raw`(a)\1`, "regex: a back-reference is not supported, at character 4"],
    ["(?P<n>a)(?P=n)", "regex: a back-reference is not supported, at character 9"],
    ["(?>a)", "regex: an atomic group is not supported, at character 1"],
    ["a++", "regex: a possessive quantifier is not supported, at character 3"],
    ["a**", "regex: a quantifier follows another one, at character 3"],
    ["*a", "regex: '*' has nothing to repeat, at character 1"],
    ["a{2,1}", "regex: a repetition must be from 0 to 1000, at character 2"],
    ["a{1001}", "regex: a repetition must be from 0 to 1000, at character 2"],
    ["(?:a{100}){100}", "regex: is too large once its repetitions are expanded"],
    ["^*", "regex: an edge cannot be repeated, at character 2"],
    [String.raw`\p{L}`, String.raw`regex: the escape '\p' is not supported, at character 1`],
    [String.raw`\B`, String.raw`regex: the escape '\B' is not supported, at character 1`],
    [String.raw`a\x{110000}`, "regex: the character does not exist, at character 2"],
    ["[[:alpha:]]", "regex: a POSIX class is not supported, at character 2"],
    ["[b-a]", "regex: a range of a class must go from a lower to a higher character, at character 2"],
    ["[a", "regex: a class is not closed, at character 1"],
    ["(a", "regex: a parenthesis is not closed, at character 1"],
    ["a)", "regex: a closing parenthesis has no opening one, at character 2"],
    ["a\\", "regex: a backslash has nothing to escape, at character 2"],
    ["(?x)a", "regex: this kind of group is not supported, at character 1"],
    ["(".repeat(65), "regex: groups are nested more than 64 deep, at character 65"],
    ["a".repeat(4097), "regex: must have at most 4096 characters"],
  ])("refuses a regular expression with a reason: %j", (refused, reason) => {
    expect(checkRegex(refused)).toBe(reason);
  });

  it("prints a regular expression for RE2 without flags and with searchable literals", () => {
    expect(toRe2(parseRegex("^a.b$|c{2,3}(?i)k", PLAIN))).toBe(
      String.raw`(?:\Aa[\x{0}-\x{9}\x{b}-\x{10ffff}]b\z|(?:c){2,3}(?:K|k))`,
    );
  });
});
