import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml.ts";

const KEYS = Array.from({ length: 9000 }, (_, at) => `key${at}`);
/** Within the time of a text that is refused only at its end. */
const LINEAR_MS = 4000;

function reasonOf(text: string): string | undefined {
  const result = parseYaml(text);
  return result.state === "refused" ? result.reason : undefined;
}

describe("the limits of YAML", () => {
  it.each(["[", "- ", "? ", "[{", "!!x [", "&a [", "{? ", "[\n", "? - ", "\n?? : ? ", "\n-'!!x : : ? "])(
    "refuses a text of 13 KB that repeats %j in linear time",
    (part) => {
      const began = performance.now();
      expect(reasonOf(part.repeat(13_000 / part.length))).toMatch(/^must be at most 50 levels deep$|, at line \d+/);
      expect(performance.now() - began).toBeLessThan(LINEAR_MS);
    },
  );

  it("refuses lines that are each indented deeper", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `${" ".repeat(at)}a:`);
    expect(reasonOf(lines.join("\n"))).toBe("must be at most 50 levels deep");
    expect(reasonOf(lines.slice(0, 40).join("\n"))).toBeUndefined();
  });

  it("refuses more keys, values and indicators than its limit", () => {
    const keys = Array.from({ length: 46_000 }, (_, at) => at.toString(36));
    expect(reasonOf(`{${keys.join(",")}}`)).toBe("must have at most 20000 keys, values and indicators");
    expect(reasonOf(`[${keys.slice(0, 9900).join(",")}]`)).toBeUndefined();
  });

  it.each([
    ["a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n"],
    [Array.from({ length: 5000 }, (_, at) => `- &a${at} x\n- *a${at}`).join("\n")],
  ])("refuses too many aliases", (text) => {
    expect(reasonOf(text)).toBe("has too many or unknown aliases");
  });

  it("refuses directives, which could change the schema", () => {
    expect(reasonOf("%YAML 1.1\n---\na: yes\n")).toBe("must not have directives");
  });

  it("refuses a number that would take long to write out", () => {
    const result = parseYaml(`a: ${"1".repeat(100_000)}`, { intAsBigInt: true });
    expect(result).toEqual({
      state: "refused",
      reason: "Numbers must have at most 1000 digits, at line 1, column 4",
    });
  });
});

describe("YAML within the limits", () => {
  it("finds a duplicate key among thousands, in linear time", () => {
    const began = performance.now();
    expect(reasonOf(KEYS.map((key) => `${key}:`).join("\n"))).toBeUndefined();
    expect(reasonOf([...KEYS, "key7"].map((key) => `${key}:`).join("\n"))).toBe(
      "Map keys must be unique, at line 9001, column 1",
    );
    expect(performance.now() - began).toBeLessThan(LINEAR_MS);
  });

  it.each(["a: 1\na: 2", "{a: 1, 'a': 2}", "- 1\n- {1: x, 1: y}", "? [a]\n: {b: 1, b: 2}"])(
    "refuses the duplicate key of %j",
    (text) => {
      expect(reasonOf(text)).toMatch(/^Map keys must be unique, at line \d+, column \d+$/);
    },
  );

  it("returns the position of each node", () => {
    const result = parseYaml("id: mine\nsteps:\n  - id: one\n    params: { seconds: none }\n", { places: true });
    const [document] = result.state === "read" ? result.documents : [];
    const steps = document?.place?.children?.get("steps");
    const seconds = steps?.children?.get("0")?.children?.get("params")?.children?.get("seconds");
    expect([steps, seconds]).toMatchObject([
      { line: 3, column: 3 },
      { line: 4, column: 24 },
    ]);
  });

  it("parses values as the library does", () => {
    const text = "a: [1, 0x1f, 1.5, yes, null, ~]\nb: |\n  two\n  lines\nc: &x {d: 'e'}\nf: *x\n---\nsecond\n";
    expect(parseYaml(text)).toEqual({
      state: "read",
      documents: [
        { value: { a: [1, 31, 1.5, "yes", null, null], b: "two\nlines\n", c: { d: "e" }, f: { d: "e" } } },
        { value: "second" },
      ],
    });
    expect(parseYaml("a: 9007199254740993", { intAsBigInt: true })).toEqual({
      state: "read",
      documents: [{ value: { a: 9_007_199_254_740_993n } }],
    });
    expect(parseYaml("")).toEqual({ state: "read", documents: [] });
  });
});
