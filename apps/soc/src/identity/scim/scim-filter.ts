import { invalidField, type Problem } from "@kit/problem";

/** One comparison of a filter. */
export interface Term {
  /** The name of the attribute in lower case, without the URN of its schema. */
  attribute: string;
  value: string | boolean;
}

const MAX_FILTER_LENGTH = 1000;
const MAX_TERMS = 10;
const TERM =
  /\s*([A-Za-z][\w:.$-]*?(?:\[[A-Za-z]+ eq (?:"[^"\\[\]]*"|true)\])?(?:\.[A-Za-z]+)?) +eq +("(?:[^"\\]|\\.)*"|true|false)\s*/iy;
const AND = /and\s+/iy;
const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;

/** RFC 7644, section 3.4.2.2, limited to what providers use: comparisons with `eq`, joined by `and`. */
export function parseFilter(filter: string): Term[] {
  if (filter.length > MAX_FILTER_LENGTH) throw refuse(`must be at most ${MAX_FILTER_LENGTH} characters`);
  const terms: Term[] = [];
  for (let at = 0; ; ) {
    TERM.lastIndex = at;
    const [, attribute = "", value = ""] = TERM.exec(filter) ?? [];
    if (attribute === "") throw refuse(`must be comparisons by eq, joined by and; see place ${at + 1}`);
    terms.push({ attribute: normalizePath(attribute), value: parseValue(value) });
    if (terms.length > MAX_TERMS) throw refuse(`must be at most ${MAX_TERMS} comparisons`);
    at = TERM.lastIndex;
    if (at === filter.length) return terms;
    AND.lastIndex = at;
    if (!AND.test(filter)) throw refuse(`must be comparisons by eq, joined by and; see place ${at + 1}`);
    at = AND.lastIndex;
  }
}

/** Attribute names are case-insensitive, with or without the URN of the schema. */
export function normalizePath(path: string): string {
  return path.replace(SCHEMA, "").toLowerCase();
}

export function refuseFilter(attribute: string): Problem {
  return refuse(`compares '${attribute}', which is not supported`);
}

function refuse(text: string): Problem {
  return invalidField("filter", text, { code: "invalid_filter" });
}

function parseValue(literal: string): string | boolean {
  try {
    const value: unknown = JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase());
    if (typeof value === "string" || typeof value === "boolean") return value;
  } catch {
    // Falls through to the error below.
  }
  throw refuse(`has ${literal}, which is not valid JSON`);
}
