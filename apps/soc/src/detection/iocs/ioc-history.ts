import { domainToUnicode } from "node:url";
import type { Condition, Pattern } from "@kit/query/condition";
import { type Network, parseAddress, parseNetwork } from "@kit/query/condition-address";
import { splitWords } from "@kit/query/condition-words";
import { createParameters, toSql } from "../../logs/module.ts";
import type { LogField } from "../../ports/log-event.ts";
import type { SqlCondition } from "../../ports/log-store.ts";
import type { Indicator } from "./indicator.ts";
import { hostIn } from "./text-scan.ts";

const FIELDS = ["src_ip", "dst_ip", "host", "user"] as const satisfies readonly LogField[];
const ADDRESSES = ["src_ip", "dst_ip"] as const satisfies readonly LogField[];

/** How an indicator can occur in a text. */
interface Trace {
  /** The text contains at least one word of each list. */
  words: readonly (readonly string[])[];
  /** A regular expression that matches the lower-case text. */
  pattern: string;
}

/**
 * Selects logs that may contain one of the indicators, using an index. One query per field, because for an OR over two
 * fields the log store cannot use either index.
 */
export function indexedConditions(iocs: readonly Indicator[]): SqlCondition[] {
  const inFields = FIELDS.flatMap((name) => {
    const of = iocs.filter(({ type }) => isKeptIn(name, type)).map(({ value }) => fits(name, { text: value }));
    return of.length === 0 ? [] : [toSql({ kind: "or", of })];
  });
  return [...inFields, ...messageConditions(iocs.flatMap(buildTraces))];
}

/**
 * Selects all other logs: with the indicator in an attribute, in a part of a field, or in another spelling. Reads every
 * log, whatever the number of indicators.
 */
export function scannedConditions(iocs: readonly Indicator[]): SqlCondition[] {
  return [...originalConditions(iocs.flatMap(buildTraces)), ...subdomainConditions(iocs), ...networkConditions(iocs)];
}

function isKeptIn(name: (typeof FIELDS)[number], type: Indicator["type"]): boolean {
  if (name === "host") return type === "domain";
  return name === "user" ? type === "email" : type === "ipv4" || type === "ipv6";
}

function fits(name: LogField, ...pattern: Pattern): Condition {
  return { kind: "text", field: { name }, pattern, isCased: false };
}

function subdomainConditions(iocs: readonly Indicator[]): SqlCondition[] {
  const domains = iocs.filter(({ type }) => type === "domain");
  const of = domains.map(({ value }) => fits("host", { wildcard: "any" }, { text: `.${value}` }));
  return of.length === 0 ? [] : [toSql({ kind: "or", of })];
}

/** No index finds an address by its network. A cheap prefix test leaves few addresses for the exact test. */
function networkConditions(iocs: readonly Indicator[]): SqlCondition[] {
  const networks = iocs.flatMap(({ type, value }) => {
    if (type !== "cidr" && type !== "ipv6") return [];
    return parseNetwork(type === "cidr" ? value : `${value}/128`) ?? [];
  });
  if (networks.length === 0) return [];
  return ADDRESSES.map((name) => {
    const begun: Condition = { kind: "or", of: networks.map((network) => fits(name, ...toPrefixPattern(network))) };
    const within: Condition[] = networks.map((network) => ({ kind: "network", field: { name }, ...network }));
    return toSql({ kind: "and", of: [begun, { kind: "or", of: within }] });
  });
}

const OCTET_BITS = 8;

function toPrefixPattern({ address, prefixBits }: Network): Pattern {
  // The beginning of an IPv6 address has many spellings.
  if (address.includes(":")) return [{ wildcard: "any" }, { text: ":" }, { wildcard: "any" }];
  const octets = address.split(".").slice(0, Math.floor(prefixBits / OCTET_BITS));
  return [...octets.map((octet) => ({ text: `${octet}.` })), { wildcard: "any" }];
}

function buildTraces({ type, value }: Indicator): Trace[] {
  switch (type) {
    case "cidr":
      return [];
    case "ipv6":
      return buildIpv6Traces(value);
    case "url":
      // Uses only the host, because the rest has several spellings.
      return [buildTrace(hostIn(value))];
    case "domain":
      return value.includes("xn--") ? [value, ...toForeignSpellings(value)].map(buildTrace) : [buildTrace(value)];
    case "email":
      return value.includes("+")
        ? [value, value.replaceAll("+", String.raw`\u002b`)].map(buildTrace)
        : [buildTrace(value)];
    case "ipv4":
    case "md5":
    case "sha1":
    case "sha256":
      return [buildTrace(value)];
    default:
      return type satisfies never;
  }
}

function buildTrace(spelling: string): Trace {
  return { words: splitWords(spelling).map((word) => [word]), pattern: toLiteralPattern(spelling) };
}

function toLiteralPattern(text: string): string {
  const lower = text.toLowerCase();
  return lower.replaceAll(/[\0-\x7f]/g, (each) =>
    /[0-9a-z]/.test(each) ? each : `\\x${formatHex(each.charCodeAt(0), 2)}`,
  );
}

/** In its own script, and as its JSON escape. */
function toForeignSpellings(domain: string): string[] {
  const name = domainToUnicode(domain);
  const escaped = name.replaceAll(/[^\0-\x7f]/g, (unit) => String.raw`\u${formatHex(unit.charCodeAt(0), 4)}`);
  return [name, escaped];
}

const GROUPS = 8;
const GROUP_BITS = 16n;
const MAX_GROUP_DIGITS = 4;
const BETWEEN = "[0:]*:0{0,3}";

/**
 * An IPv6 address has many spellings: with or without leading zeros, and with the last two groups as an IPv4 address.
 */
function buildIpv6Traces(value: string): Trace[] {
  const address = parseAddress(value) ?? 0n;
  const groups = Array.from({ length: GROUPS }, (_, at) =>
    Number((address >> (BigInt(7 - at) * GROUP_BITS)) & 0xffffn),
  );
  const dotted = groups.slice(-2).flatMap((group) => [group >> 8, group & 0xff].map(String));
  const first = groups.slice(0, -2);
  return [
    {
      words: buildGroupWords(groups),
      pattern: groups.at(-1) === 0 ? `${buildGroupPattern(groups)}:` : buildGroupPattern(groups),
    },
    {
      words: [...buildGroupWords(first), ...dotted.map((part) => [part])],
      pattern: `${buildGroupPattern(first)}[0:]*:${toLiteralPattern(dotted.join("."))}`,
    },
  ];
}

function buildGroupPattern(groups: readonly number[]): string {
  const written = groups.filter((group) => group !== 0).map((group) => formatHex(group, 1));
  return `${groups[0] === 0 && written.length > 0 ? ":0{0,3}" : ""}${written.join(BETWEEN)}`;
}

function buildGroupWords(groups: readonly number[]): string[][] {
  const padded = (group: number) => Array.from({ length: MAX_GROUP_DIGITS }, (_, at) => formatHex(group, at + 1));
  return groups.filter((group) => group !== 0).map((group) => [...new Set(padded(group))]);
}

function formatHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

/** Tests its indexed words first, then the exact pattern. */
function messageConditions(traces: readonly Trace[]): SqlCondition[] {
  if (traces.length === 0) return [];
  const parameters = createParameters("m");
  const alternatives = traces.map(({ words, pattern }) => {
    const lists = words.map((list) => `hasAnyTokens(lower(message), ${parameters.add(list.join(" "), "String")})`);
    return `(${[...lists, `match(lower(message), ${parameters.add(pattern, "String")})`].join(" AND ")})`;
  });
  return [{ sql: `(${alternatives.join(" OR ")})`, parameters: parameters.values }];
}

/**
 * The original log contains every attribute. An index on its words would cost more than a fifth of storing a log; one
 * combined expression takes about as long as one for a single text, unlike a search per text.
 */
function originalConditions(traces: readonly Trace[]): SqlCondition[] {
  if (traces.length === 0) return [];
  const parameters = createParameters("o");
  const patterns = traces.map(({ pattern }) => parameters.add(pattern, "String"));
  return [{ sql: `multiMatchAny(lower(raw), [${patterns.join(", ")}])`, parameters: parameters.values }];
}
