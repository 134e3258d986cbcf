import type { Condition, Field, Pattern } from "../siem/condition.ts";
import { networkOf } from "../siem/condition-address.ts";
import { toSql } from "../siem/condition-sql.ts";
import { wordsOf } from "../siem/condition-words.ts";
import type { LogField } from "../siem/log.ts";
import type { SqlCondition } from "../siem/log-store.ts";
import type { Indicator } from "./indicator.ts";
import { hostIn } from "./text-scan.ts";

const field = (name: LogField): Field => ({ name });

function equals(name: LogField, value: string): Condition {
  return { kind: "text", field: field(name), pattern: [{ text: value }], isCased: false };
}

function fits(name: LogField, ...pattern: Pattern): Condition {
  return { kind: "text", field: field(name), pattern, isCased: false };
}

/** By its words first, which have an index; then as it stands. */
function inMessage(text: string): Condition {
  const contained = fits("message", { wildcard: "any" }, { text }, { wildcard: "any" });
  return { kind: "and", of: [{ kind: "words", words: wordsOf(text) }, contained] };
}

/** Where an index finds an indicator, by the field. */
function indexedOf({ type, value }: Indicator): Partial<Record<LogField, Condition>> {
  switch (type) {
    case "ipv4":
    case "ipv6":
      return { src_ip: equals("src_ip", value), dst_ip: equals("dst_ip", value), message: inMessage(value) };
    case "domain":
      return { host: equals("host", value), message: inMessage(value) };
    case "email":
      return { user: equals("user", value), message: inMessage(value) };
    case "url":
      return { message: inMessage(hostIn(value)) };
    case "md5":
    case "sha1":
    case "sha256":
      return { message: inMessage(value) };
    case "cidr":
      return {};
    default:
      return type satisfies never;
  }
}

const INDEXED = ["src_ip", "dst_ip", "host", "user", "message"] as const satisfies readonly LogField[];

/**
 * Logs that may have one of the indicators, as far as an index finds them: one question for each field, because where either
 * of two fields would do, neither one's index lets anything be passed over.
 */
export function indexedConditions(iocs: readonly Indicator[]): SqlCondition[] {
  const all = iocs.map(indexedOf);
  return INDEXED.flatMap((name) => {
    const of = all.flatMap((each) => each[name] ?? []);
    return of.length === 0 ? [] : [toSql({ kind: "or", of })];
  });
}

/**
 * All others: those that have it in an attribute, or in a spelling of its own. The original of a log holds every attribute,
 * and one pass over it looks for all indicators at once.
 */
export function scannedCondition(iocs: readonly Indicator[]): SqlCondition {
  const others = toSql({ kind: "or", of: iocs.flatMap(unindexedOf) }, "n");
  const needles = [...new Set(iocs.filter(({ type }) => type !== "cidr").map(needleOf))];
  if (needles.length === 0) return others;
  const parameters = Object.fromEntries(needles.map((needle, at) => [`v${at}`, needle]));
  const list = needles.map((_, at) => `{v${at}:String}`).join(", ");
  return {
    sql: `(multiSearchAnyCaseInsensitive(raw, [${list}]) OR ${others.sql})`,
    parameters: { ...others.parameters, ...parameters },
  };
}

function unindexedOf({ type, value }: Indicator): Condition[] {
  if (type === "domain") return [fits("host", { wildcard: "any" }, { text: `.${value}` })];
  if (type !== "cidr" && type !== "ipv6") return [];
  // An IPv6 address has many spellings.
  const network = networkOf(type === "cidr" ? value : `${value}/128`);
  if (!network) return [];
  return [
    { kind: "network", field: field("src_ip"), ...network },
    { kind: "network", field: field("dst_ip"), ...network },
  ];
}

/** Of a URL its host: the rest may be written in several ways. */
function needleOf({ type, value }: Indicator): string {
  return type === "url" ? hostIn(value) : value;
}
