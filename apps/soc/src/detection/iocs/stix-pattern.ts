import { invalidField, type Problem } from "@kit/problem";
import type { Indicator, IocType } from "./indicator.ts";

const TOKEN =
  /\s*(?:(\[|\]|\(|\)|,|!=|<=|>=|=|<|>)|'((?:[^'\\]|\\['\\])*)'|([A-Za-z][A-Za-z0-9-]*:[^\s=!<>[\]()]+)|([A-Za-z0-9._:+-]+))/y;
const HASHES: ReadonlyMap<string, IocType> = new Map<string, IocType>([
  ["MD5", "md5"],
  ["SHA-1", "sha1"],
  ["SHA1", "sha1"],
  ["SHA-256", "sha256"],
  ["SHA256", "sha256"],
]);
const TYPES: Readonly<Record<string, IocType>> = {
  "ipv4-addr:value": "ipv4",
  "ipv6-addr:value": "ipv6",
  "domain-name:value": "domain",
  "url:value": "url",
  "email-addr:value": "email",
};

type Token = { kind: "sign" | "text" | "path" | "word"; text: string };

interface Comparison {
  path: string;
  values: string[];
}

/** An indicator value with its type, or without one if the value determines it. */
export type PatternValue = { type?: Indicator["type"]; value: string };

/**
 * Returns the values of a pattern that is met by any one of them: `[a:value = 'x' OR b:value = 'y'] OR […]`. A pattern
 * with several conditions, an order or a time cannot be expressed as indicators and is refused.
 */
export function parsePatternValues(pattern: string): PatternValue[] {
  const reader = createReader(pattern);
  const values: PatternValue[] = [];
  do {
    reader.take("[");
    values.push(...readObservation(reader));
    reader.take("]");
  } while (reader.takeWord("OR"));
  const rest = reader.next();
  if (rest) throw refusal(`'${rest.text}' is not supported`);
  return values;
}

function refusal(why: string): Problem {
  return invalidField("pattern", why);
}

function createReader(pattern: string) {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = pattern.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const [, sign, text, path, word] = TOKEN.exec(pattern) ?? [];
    if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else if (text !== undefined) tokens.push({ kind: "text", text: text.replaceAll(/\\(['\\])/g, "$1") });
    else if (path !== undefined) tokens.push({ kind: "path", text: path });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else throw refusal(`cannot be parsed at character ${from + 1}`);
  }
  let place = 0;
  return {
    next: (): Token | undefined => tokens[place],
    advance: (): Token | undefined => tokens[place++],
    take(sign: string): void {
      const token = tokens[place];
      if (token?.kind !== "sign" || token.text !== sign) {
        throw refusal(
          token ? `expected '${sign}' but found '${token.text}'` : `expected '${sign}' but the pattern ends`,
        );
      }
      place += 1;
    },
    takeWord(word: string): boolean {
      const token = tokens[place];
      const isNext = token?.kind === "word" && token.text.toUpperCase() === word;
      if (isNext) place += 1;
      return isNext;
    },
  };
}
type Reader = ReturnType<typeof createReader>;

function readObservation(reader: Reader): PatternValue[] {
  const compared = [readComparison(reader)];
  let [hasOr, hasAnd] = [false, false];
  for (;;) {
    if (reader.takeWord("OR")) hasOr = true;
    else if (reader.takeWord("AND")) hasAnd = true;
    else break;
    compared.push(readComparison(reader));
  }
  // `dst_ref.type = 'ipv4-addr' AND dst_ref.value = …` means no more than the value alone.
  const meant = hasAnd && !hasOr ? compared.filter(({ path }) => !path.endsWith("_ref.type")) : compared;
  if (hasAnd && meant.length !== 1)
    throw refusal("combines conditions with AND, which a single indicator cannot express");
  return meant.flatMap(({ path, values }) => values.map((value) => ({ ...findType(path, value), value })));
}

function readComparison(reader: Reader): Comparison {
  const path = reader.advance();
  if (path?.kind !== "path") throw refusal(path ? `'${path.text}' is not supported` : "ends too early");
  if (reader.takeWord("IN")) return { path: path.text, values: readSet(reader) };
  const operator = reader.advance();
  if (operator?.text !== "=") throw refusal(`'${operator?.text ?? ""}' is not supported, only = and IN are`);
  return { path: path.text, values: [readText(reader)] };
}

function readSet(reader: Reader): string[] {
  reader.take("(");
  const values = [readText(reader)];
  while (reader.next()?.text === ",") {
    reader.take(",");
    values.push(readText(reader));
  }
  reader.take(")");
  return values;
}

function readText(reader: Reader): string {
  const token = reader.advance();
  if (token?.kind !== "text") throw refusal("compares with a value that is not a text");
  return token.text;
}

function findType(path: string, value: string): Pick<PatternValue, "type"> {
  const hash = HASHES.get(/^file:hashes\.'?([A-Za-z0-9-]+)'?$/.exec(path)?.[1] ?? "");
  // A path always has a colon, so it is never the name of a member of every object.
  const type = hash ?? TYPES[path];
  if (type) return { type: isNetwork(type, value) ? "cidr" : type };
  if (/^network-traffic:(?:src|dst)_ref\.value$/.test(path)) return {};
  throw refusal(`'${path}' is not supported`);
}

function isNetwork(type: IocType, value: string): boolean {
  return (type === "ipv4" || type === "ipv6") && value.includes("/");
}

const PATHS: Readonly<Record<IocType, (value: string) => string>> = {
  ipv4: () => "ipv4-addr:value",
  ipv6: () => "ipv6-addr:value",
  cidr: (value) => (value.includes(":") ? "ipv6-addr:value" : "ipv4-addr:value"),
  domain: () => "domain-name:value",
  url: () => "url:value",
  email: () => "email-addr:value",
  md5: () => "file:hashes.MD5",
  sha1: () => "file:hashes.'SHA-1'",
  sha256: () => "file:hashes.'SHA-256'",
};

export function formatPattern({ type, value }: Indicator): string {
  return `[${PATHS[type](value)} = '${value.replaceAll(/['\\]/g, String.raw`\$&`)}']`;
}
