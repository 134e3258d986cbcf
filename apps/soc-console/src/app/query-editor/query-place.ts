/** The completion context at the cursor. */
export interface CompletionPlace {
  /** The field of the value at the cursor; undefined while a field or a word is typed. */
  field: string | undefined;
  /** The typed part, without quotes. */
  prefix: string;
  /** Start of the text that the completion replaces. */
  from: number;
}

const VALUE = /(?:^|[\s(])([^\s():"]+):(?:[<>]=?)?("?)([^\s()"]*)$/;
const QUOTED = /(?:^|[\s(])([^\s():"]+):"([^"]*)$/;
const AMONG_VALUES = /(?:^|[\s(])([^\s():"]+):\([^()]*?("?)([^\s()"]*)$/;
const WORD = /([^\s():"]*)$/;

/** What the user types before the cursor: a value of a field, or a field name. */
export function findPlace(query: string, cursor: number): CompletionPlace {
  const before = query.slice(0, cursor);
  const quoted = QUOTED.exec(before);
  if (quoted) return toPlace(quoted[1], '"', quoted[2], cursor);
  const value = VALUE.exec(before) ?? AMONG_VALUES.exec(before);
  if (value) return toPlace(value[1], value[2], value[3], cursor);
  return toPlace(undefined, "", WORD.exec(before)?.[1], cursor);
}

function toPlace(field: string | undefined, quote = "", prefix = "", cursor: number): CompletionPlace {
  return { field, prefix, from: cursor - prefix.length - quote.length };
}

/** A value for a query: quoted if one of its characters has a meaning there. */
export function quoteValue(value: string): string {
  const isPlain = value !== "" && !/[\s\\"():*?[\]{}<>]/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
