/** Where in a query something can be completed. */
export interface CompletionPlace {
  /** The field that the value at the cursor belongs to; undefined where a field or a word is written. */
  field: string | undefined;
  /** What is written of it so far, without quotes. */
  prefix: string;
  /** Where the completion replaces text, from here to the cursor. */
  from: number;
}

const VALUE = /(?:^|[\s(])([^\s():"]+):(?:[<>]=?)?("?)([^\s()"]*)$/;
const QUOTED = /(?:^|[\s(])([^\s():"]+):"([^"]*)$/;
const AMONG_VALUES = /(?:^|[\s(])([^\s():"]+):\([^()]*?("?)([^\s()"]*)$/;
const WORD = /([^\s():"]*)$/;

/** What is being written before the cursor: a value of a field, or the name of one. */
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

/** A value as a query needs it: in quotes when a character of it has a meaning there. */
export function quoteValue(value: string): string {
  const isPlain = value !== "" && !/[\s\\"():*?[\]{}<>]/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
