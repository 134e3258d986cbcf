import { ZONES_TEXT } from "./zones-data.ts";

export interface ZoneRule {
  /** Such as Europe/Istanbul. */
  name: string;
  /** The POSIX rule, such as <+03>-3. */
  rule: string;
}

/** The zones that people choose from, by name. */
export function listZones(): ZoneRule[] {
  return readRules()
    .flatMap(({ rule, chosen }) => chosen.map((name) => ({ name, rule })))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The rule of a zone by any of its names; undefined for an unknown zone. */
export function findZoneRule(name: string): string | undefined {
  return readRules().find(({ chosen, others }) => chosen.includes(name) || others.includes(name))?.rule;
}

/** The browser's own time zone. */
export function readBrowserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether both names mean the same zone: a browser may still say Asia/Calcutta. */
export function isSameZone(one: string, other: string): boolean {
  return (
    one === other || (findZoneRule(one) === findZoneRule(other) && resolveZoneName(one) === resolveZoneName(other))
  );
}

function resolveZoneName(zone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
}

/** Any zone with this rule: all of them show the same local time. */
export function findZoneByRule(rule: string): string | undefined {
  return readRules().find((each) => each.rule === rule)?.chosen[0];
}

/** `GMT+3`: the UTC offset of the rule at that instant; the rule itself when no known zone has it. */
export function formatRuleOffset(rule: string, epochMs: number): string {
  const timeZone = findZoneByRule(rule);
  if (!timeZone) return rule;
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(epochMs);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? rule;
}

function readRules(): { rule: string; chosen: string[]; others: string[] }[] {
  return ZONES_TEXT.split("\n").map((line) => {
    const at = line.indexOf(" ");
    const [chosen = "", others = ""] = line.slice(at).split("|");
    return { rule: line.slice(0, at), chosen: splitWords(chosen), others: splitWords(others) };
  });
}

function splitWords(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}
