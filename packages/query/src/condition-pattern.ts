import type { Pattern } from "./condition.ts";

/** Joins neighbouring texts, drops empty ones and merges repeated `any`: equal patterns get the same form. */
export function simplify(pattern: Pattern): Pattern {
  const simple: ({ text: string } | { wildcard: "any" | "one" })[] = [];
  for (const part of pattern) {
    const last = simple.at(-1);
    if ("text" in part) {
      if (last && "text" in last) simple[simple.length - 1] = { text: last.text + part.text };
      else if (part.text !== "") simple.push(part);
    } else if (!(part.wildcard === "any" && last && "wildcard" in last && last.wildcard === "any")) {
      simple.push(part);
    }
  }
  return simple;
}

/** The pattern that matches a text when this pattern matches some part of it. */
export function anywhereIn(pattern: Pattern): Pattern {
  return simplify([{ wildcard: "any" }, ...pattern, { wildcard: "any" }]);
}

/** A pattern and its spelling within JSON, which has a backslash before each quote and backslash. */
export function withJsonSpelling(pattern: Pattern): Pattern[] {
  const inJson = pattern.map((part) => ("text" in part ? { text: JSON.stringify(part.text).slice(1, -1) } : part));
  return JSON.stringify(inJson) === JSON.stringify(pattern) ? [pattern] : [pattern, inJson];
}

export function lowerPattern(pattern: Pattern): Pattern {
  return pattern.map((part) => ("text" in part ? { text: part.text.toLowerCase() } : part));
}

/** The text of a pattern without wildcards. */
export function plainTextOf(pattern: Pattern): string | undefined {
  const simple = simplify(pattern);
  const [first] = simple;
  if (!first) return "";
  return simple.length === 1 && "text" in first ? first.text : undefined;
}

/** Whether a case difference could matter to a pattern. */
export function hasCase(pattern: Pattern): boolean {
  return pattern.some((part) => "text" in part && /[A-Za-z\u0080-\uffff]/.test(part.text));
}

export function toLike(pattern: Pattern): string {
  return simplify(pattern)
    .map((part) => {
      if ("text" in part) return part.text.replaceAll(/[\\%_]/g, String.raw`\$&`);
      return part.wildcard === "any" ? "%" : "_";
    })
    .join("");
}
