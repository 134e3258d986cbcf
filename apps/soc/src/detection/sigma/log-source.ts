import type { Condition } from "@kit/query/condition";
import { OTHER_SOURCES, type OtherSource } from "./other-sources.ts";
import { joined } from "./sigma-expression.ts";
import { WINDOWS_CATEGORIES, WINDOWS_SERVICES, type WindowsEvents } from "./windows-sources.ts";

/** The log source of a Sigma rule. */
export interface LogSource {
  product?: string;
  category?: string;
  service?: string;
}

/** The condition that only events of this source meet; undefined if the source is unknown. */
export function logSourceCondition({ product, category, service }: LogSource): Condition | undefined {
  if (product === "windows") return windowsCondition(category, service);
  const row = OTHER_SOURCES.find(
    (each) => each.product === product && each.category === category && each.service === service,
  );
  if (row) return otherCondition(row);
  return product === undefined && service === undefined ? categoryCondition(category) : undefined;
}

function windowsCondition(category: string | undefined, service: string | undefined): Condition | undefined {
  const events = category === undefined ? [] : findOwn(WINDOWS_CATEGORIES, category);
  const channels = service === undefined ? [] : findOwn(WINDOWS_SERVICES, service);
  if (events === undefined || channels === undefined) return undefined;
  const parts = [
    joined("or", events.map(eventsCondition)),
    joined(
      "or",
      channels.map((channel) => attributeIs("Channel", channel)),
    ),
  ].filter(({ kind }) => kind !== "none");
  return parts.length === 0 ? { kind: "exists", field: { attribute: ["Channel"] } } : joined("and", parts);
}

/** A category without a product means the category on any system. */
function categoryCondition(category = ""): Condition | undefined {
  const windows = findOwn(WINDOWS_CATEGORIES, category) ?? [];
  const others = OTHER_SOURCES.filter((row) => row.category === category && row.service === undefined);
  const conditions = [...windows.map(eventsCondition), ...others.map(otherCondition)];
  return conditions.length === 0 ? undefined : joined("or", conditions);
}

/** The word comes from the rule: `constructor` must not find a member of every object. */
function findOwn<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

function eventsCondition({ channel, provider, codes = [] }: WindowsEvents): Condition {
  const place = channel === undefined ? attributeIs("Provider_Name", provider) : attributeIs("Channel", channel);
  const ofCodes = codes.map((code): Condition => {
    return { kind: "text", field: { name: "event_code" }, pattern: [{ text: String(code) }], isCased: false };
  });
  return ofCodes.length === 0 ? place : joined("and", [place, joined("or", ofCodes)]);
}

function otherCondition({ names = [], system, with: has = [], channel, codes }: OtherSource): Condition {
  const conditions: Condition[] = names.flatMap((name) => [
    { kind: "text", field: { name: "source" }, pattern: [{ text: name }], isCased: false },
    attributeIs("event.dataset", name),
    attributeIs("event.module", name),
  ]);
  if (system !== undefined) conditions.push(systemCondition(system));
  if (has.length > 0) {
    conditions.push(
      joined(
        "and",
        has.map((name) => ({ kind: "exists", field: { attribute: name.split(".") } })),
      ),
    );
  }
  const others = joined("or", conditions);
  // Windows events never belong to another source, and most events are Windows events, so test for them first.
  const elsewhere = joined("and", [{ kind: "not", of: { kind: "exists", field: { attribute: ["Channel"] } } }, others]);
  return channel === undefined ? elsewhere : joined("or", [eventsCondition({ channel, codes }), elsewhere]);
}

function systemCondition(system: string): Condition {
  return joined("or", [
    { kind: "text", field: { name: "source" }, pattern: [{ text: system }], isCased: false },
    attributeIs("host.os.type", system),
    attributeIs("host.os.family", system),
    attributeIs("host.os.platform", system),
  ]);
}

function attributeIs(name: string, value: string): Condition {
  return { kind: "text", field: { attribute: name.split(".") }, pattern: [{ text: value }], isCased: false };
}
