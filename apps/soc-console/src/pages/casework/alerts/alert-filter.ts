import { type Token, tokenize } from "@kit/query/query-syntax";

/** The parameters of `GET /alerts`, which are also the filter of a bulk change. */
export type AlertParameters = Readonly<Record<string, string | boolean | readonly string[]>>;

/** One term of a filter. All terms must hold. */
export interface FilterTerm {
  /** As written, including its `NOT`. */
  text: string;
  field: string | undefined;
  /** The text after the colon. */
  value: string;
  isNegated: boolean;
  tokens: readonly Token[];
}

const SEVERITIES = ["critical", "high", "medium", "low", "info"];
export const STATUSES = ["new", "triaged", "investigating", "resolved", "closed", "false_positive"];
const VERDICTS = ["true_positive", "false_positive", "needs_tuning", "none"];

/** A short field name, and its name in the query language. */
const QUERY_NAMES: Readonly<Record<string, string>> = {
  tag: "tags",
  technique: "mitre_techniques",
  ioc: "iocs",
  case: "case_id",
  rule: "rule_id",
};
/** A filter field, and the parameter that selects it exactly. */
export const PARAMETERS: ReadonlyMap<string, string> = new Map([
  ...["severity", "status", "source", "assignee", "verdict", "host", "user", "site"].map((name): [string, string] => [
    name,
    name,
  ]),
  ["rule_id", "rule_id"],
  ["rule", "rule_id"],
  ["case_id", "case_id"],
  ["case", "case_id"],
  ["tag", "tag"],
  ["tags", "tag"],
  ["technique", "technique"],
  ["mitre_techniques", "technique"],
  ["ioc", "ioc"],
  ["iocs", "ioc"],
]);
export const ALLOWED_VALUES: Readonly<Record<string, readonly string[]>> = {
  severity: SEVERITIES,
  status: STATUSES,
  verdict: VERDICTS,
};

/** The field names of a filter, in the order of the suggestions. */
export const FILTER_FIELDS: readonly string[] = [
  ...["severity", "status", "assignee", "host", "user", "rule_id", "technique", "source", "site", "tag", "ioc"],
  ...["case_id", "verdict", "title", "description", "risk_score", "occurrence_count", "id"],
];
/** The tokens of a text; undefined while it is incomplete, such as an open quote. */
export function readTokens(text: string): Token[] | undefined {
  try {
    return tokenize(text).filter(({ kind }) => kind !== "end");
  } catch (error) {
    if (error instanceof Error && error.name === "Problem") return undefined;
    throw error;
  }
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The closing bracket of the bracket at a token. */
function findClosing(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at; index < tokens.length; index += 1) {
    const kind = tokens[index]?.kind ?? "";
    if (kind in CLOSING) depth += 1;
    else if (Object.values(CLOSING).includes(kind)) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length - 1;
}

/** The index after the term that starts at a token. */
function findEnd(tokens: readonly Token[], start: number): number {
  let at = start;
  while (tokens[at]?.kind === "NOT") at += 1;
  if (tokens[at]?.kind === "field") at += 1;
  if (tokens[at]?.kind === "sign") at += 1;
  const isBracket = (tokens[at]?.kind ?? "") in CLOSING;
  return (isBracket ? findClosing(tokens, at) : at) + 1;
}

function toTerm(text: string, tokens: readonly Token[]): FilterTerm {
  const place = tokens[0]?.place ?? 0;
  const isNegated = tokens.filter(({ kind }) => kind === "NOT").length % 2 === 1 && tokens[0]?.kind === "NOT";
  const rest = tokens.filter(({ kind }, index) => kind !== "NOT" || index > 0);
  const [first] = rest;
  const end = tokens.at(-1)?.end ?? 0;
  return {
    text: text.slice(place, end),
    field: first?.kind === "field" ? first.name : undefined,
    value: text.slice(first?.kind === "field" ? first.end : (first?.place ?? 0), end),
    isNegated,
    tokens: rest,
  };
}

/** The terms of a filter that must all hold, which are shown as chips. Empty for an incomplete text. */
export function splitFilter(text: string): FilterTerm[] {
  const tokens = readTokens(text);
  if (!tokens || tokens.length === 0) return [];
  const terms: FilterTerm[] = [];
  for (let at = 0; at < tokens.length; ) {
    const kind = tokens[at]?.kind;
    // Alternatives form one term: none of them can be removed on its own.
    if (kind === "OR") return [{ text: text.trim(), field: undefined, value: text.trim(), isNegated: false, tokens }];
    if (kind === "AND") {
      at += 1;
      continue;
    }
    const end = Math.min(tokens.length, findEnd(tokens, at));
    terms.push(toTerm(text, tokens.slice(at, end)));
    at = end;
  }
  return terms;
}

/** The plain text of a value; undefined for a wildcard pattern. */
function plainText(token: Token | undefined): string | undefined {
  if (token?.kind !== "value") return undefined;
  const texts = token.pattern.map((part) => ("text" in part ? part.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join("");
}

/** The values of `field:value` and `field:(a OR b)`; undefined for anything else. */
export function readValues({ field, tokens }: FilterTerm): string[] | undefined {
  const [, next, ...rest] = tokens;
  if (field === undefined || next === undefined) return undefined;
  if (next.kind === "value" && rest.length === 0) {
    const value = plainText(next);
    return value === undefined ? undefined : [value];
  }
  if (next.kind === "sign" && field === "severity") return readSeverities(next.sign, plainText(rest[0]));
  if (next.kind !== "(" || rest.at(-1)?.kind !== ")") return undefined;
  const inner = rest.slice(0, -1);
  if (inner.some(({ kind }, index) => kind !== (index % 2 === 0 ? "value" : "OR"))) return undefined;
  const values = inner.filter((_, index) => index % 2 === 0).map(plainText);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Severities are ordered: `>=low` is all but `info`. */
function readSeverities(sign: string, bound: string | undefined): string[] | undefined {
  const at = SEVERITIES.indexOf(bound?.toLowerCase() ?? "");
  if (at === -1) return undefined;
  const kept: Readonly<Record<string, (rank: number) => boolean>> = {
    ">=": (rank) => rank <= at,
    ">": (rank) => rank < at,
    "<=": (rank) => rank >= at,
    "<": (rank) => rank > at,
  };
  const values = SEVERITIES.filter((_, rank) => kept[sign]?.(rank));
  return values.length === 0 ? undefined : values;
}

/** The parameter that expresses this term exactly; undefined if only the query language can. */
function toParameter(term: FilterTerm): [string, boolean | string[]] | undefined {
  const name = term.field === undefined ? undefined : PARAMETERS.get(term.field);
  if (name === undefined) return undefined;
  const isAny = term.value === "*";
  if (name === "case_id" && (isAny || term.value === "none")) return ["has_case", isAny !== term.isNegated];
  const values = term.isNegated ? undefined : readValues(term);
  if (!values) return undefined;
  const isEnum = name in ALLOWED_VALUES;
  return [name, isEnum ? values.map((value) => value.toLowerCase()) : values];
}

/** A term in the query language of the service, with its field names. */
function toQueryText({ text, tokens, isNegated, field }: FilterTerm, username: string): string {
  const start = tokens[0]?.place ?? 0;
  if (field === "assignee" && plainText(tokens[1]) === "none") return isNegated ? "assignee:*" : "NOT assignee:*";
  let written = isNegated ? "NOT " : "";
  const offset = text.length - ((tokens.at(-1)?.end ?? 0) - start);
  let place = start;
  for (const [index, token] of tokens.entries()) {
    written += text.slice(offset + place - start, offset + token.place - start);
    written += spellToken(
      token,
      tokens[index - 1],
      text.slice(offset + token.place - start, offset + token.end - start),
      username,
    );
    place = token.end;
  }
  return written;
}

function spellToken(token: Token, before: Token | undefined, text: string, username: string): string {
  if (token.kind === "field") return `${QUERY_NAMES[token.name] ?? token.name}:`;
  const isMe = before?.kind === "field" && before.name === "assignee" && plainText(token) === "me";
  return isMe ? quoteValue(username) : text;
}

/** A word without a field matches title, hosts and users. */
function isWord({ field, isNegated, tokens }: FilterTerm): boolean {
  const [token] = tokens;
  return (
    field === undefined &&
    !isNegated &&
    tokens.length === 1 &&
    token?.kind === "value" &&
    !token.isQuoted &&
    plainText(token) !== undefined
  );
}

/**
 * The parameters of a filter. Terms that a parameter expresses exactly become one, because the service has an index for
 * it; the rest goes to the query language.
 */
export function toParameters(text: string, username: string): AlertParameters {
  const parameters: Record<string, string | boolean | readonly string[]> = {};
  const words: string[] = [];
  const rest: string[] = [];
  for (const term of splitFilter(text)) {
    const parameter = toParameter(term);
    if (parameter && !(parameter[0] in parameters)) parameters[parameter[0]] = parameter[1];
    else if (isWord(term)) words.push(term.text);
    else rest.push(toQueryText(term, username));
  }
  return {
    ...parameters,
    ...(words.length > 0 && { q: words.join(" ") }),
    ...(rest.length > 0 && { query: rest.length === 1 ? rest.join("") : rest.map((each) => `(${each})`).join(" ") }),
  };
}

/** A value for the text after a colon. */
export function quoteValue(value: string): string {
  const isPlain = /^[\p{L}\p{N}_.@/-]+$/u.test(value) && !/^(?:AND|OR|NOT|TO)$/.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function joinTerms(terms: readonly Pick<FilterTerm, "text">[]): string {
  return terms.map(({ text }) => text).join(" ");
}

export function removeTerm(text: string, index: number): string {
  return joinTerms(splitFilter(text).toSpliced(index, 1));
}

/** Narrows the filter to a value, replacing earlier terms of the field. */
export function includeValue(text: string, field: string, value: string): string {
  const wanted = `${field}:${quoteValue(value)}`;
  const terms = splitFilter(text);
  const kept = terms.filter((term) => term.text !== `NOT ${wanted}`);
  const at = kept.findIndex((term) => term.field === field && !term.isNegated);
  return joinTerms(at === -1 ? [...kept, { text: wanted }] : kept.with(at, { ...emptyTerm, text: wanted }));
}

const emptyTerm: FilterTerm = { text: "", field: undefined, value: "", isNegated: false, tokens: [] };

export function excludeValue(text: string, field: string, value: string): string {
  const unwanted = `${field}:${quoteValue(value)}`;
  const kept = splitFilter(text).filter((term) => term.text !== unwanted && term.text !== `NOT ${unwanted}`);
  return joinTerms([...kept, { text: `NOT ${unwanted}` }]);
}
