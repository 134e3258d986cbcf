import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { nameOf } from "../../src/assistants/investigations/event-facts.ts";
import type { InvestigatedAlert } from "../../src/assistants/investigations/event-reader.ts";
import { createStreamMatcher } from "../../src/detection/matching/stream-matcher.ts";
import type { SigmaRule } from "../../src/detection/sigma/sigma.ts";
import { unifyHost } from "../../src/foundation/records/entity-name.ts";
import { toLog } from "../../src/logs/normalise/normalise.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import type { HistoryDay } from "./memory-reader.ts";

export type Expected = "malicious" | "benign";

/** One attack simulation, as the file describes it. */
interface SituationEntry {
  situation: string;
  title: string | null;
  source: string | null;
  techniques: string[];
  alerts: { event: number; rule_id: string; expected: Expected }[];
}

/** The matches of one rule on one process of one host. */
export interface LabelledAlert {
  alert: InvestigatedAlert;
  /** Undefined if the file does not label it. */
  expected: Expected | undefined;
}

export interface Situation {
  name: string;
  title: string;
  family: string;
  techniques: readonly string[];
  logs: readonly LogEvent[];
  alerts: readonly LabelledAlert[];
  /** What the situation adds to the history of others. */
  day: HistoryDay;
}

const INGESTED_AT = "2026-01-01T00:00:00.000Z";

/**
 * Tools, and the words in a title or a name that identify them. Simulations without any of them use the programs of the
 * system itself (cmd, PowerShell, reg, schtasks) and form one family, so that no variant is learnt from another.
 */
const FAMILIES: readonly (readonly [family: string, words: RegExp])[] = [
  ["metasploit", /\b(?:msf|metasploit)\b/i],
  ["empire", /\bempire\b/i],
  ["covenant", /\bcovenant\b/i],
  ["purplesharp", /\bpurplesharp\b/i],
];
const NATIVE = "native tools";

export function familyOf({ situation, title }: Pick<SituationEntry, "situation" | "title">): string {
  const text = `${title ?? ""} ${situation.replaceAll("_", " ")}`;
  return FAMILIES.find(([, words]) => words.test(text))?.[0] ?? NATIVE;
}

/** Reads `<path>.json` and `<path>.ndjson.gz`; every rule is matched against every event, as in the product. */
export function readSituations(
  path: string,
  rules: readonly SigmaRule[],
  isWanted: (place: number) => boolean = () => true,
): Situation[] {
  const all: SituationEntry[] = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  const entries = all.filter((_, place) => isWanted(place));
  const names = new Set(entries.map(({ situation }) => situation));
  const logs = new Map<string, Map<number, LogEvent>>();
  for (const line of gunzipSync(readFileSync(`${path}.ndjson.gz`))
    .toString("utf8")
    .split("\n")) {
    if (line === "") continue;
    const { situation, n, event } = JSON.parse(line);
    if (!names.has(situation)) continue;
    const of = logs.get(situation) ?? new Map<number, LogEvent>();
    logs.set(situation, of);
    of.set(
      n,
      toLog(event, { id: `${situation}-${n}`, site: "", ingested_at: INGESTED_AT, raw: JSON.stringify(event) }),
    );
  }
  const matcher = createStreamMatcher(rules);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return entries.map((entry) =>
    toSituation(entry, logs.get(entry.situation) ?? new Map(), (log) => matcher.match(log), byId),
  );
}

/** The rules that the labels name. */
export function listLabelledRules(path: string): Set<string> {
  const entries: SituationEntry[] = JSON.parse(readFileSync(`${path}.json`, "utf8"));
  return new Set(entries.flatMap(({ alerts }) => alerts.map(({ rule_id }) => rule_id)));
}

function toSituation(
  entry: SituationEntry,
  logs: ReadonlyMap<number, LogEvent>,
  match: (log: LogEvent) => string[],
  rules: ReadonlyMap<string, SigmaRule>,
): Situation {
  const labels = new Map(entry.alerts.map(({ event, rule_id, expected }) => [`${event} ${rule_id}`, expected]));
  const groups = new Map<string, { rule: SigmaRule; logs: LogEvent[]; labels: Set<Expected | undefined> }>();
  const matched = new Set<string>();
  for (const [n, log] of logs) {
    const ids = new Set([
      ...match(log),
      ...entry.alerts.filter(({ event }) => event === n).map(({ rule_id }) => rule_id),
    ]);
    for (const rule_id of ids) {
      const rule = rules.get(rule_id);
      if (!rule) continue;
      matched.add(rule_id);
      const expected = labels.get(`${n} ${rule_id}`);
      const key = `${rule_id} ${unifyHost(log.host)} ${nameOf(log.process)} ${expected}`;
      const group = groups.get(key) ?? { rule, logs: [], labels: new Set() };
      groups.set(key, group);
      group.logs.push(log);
      group.labels.add(expected);
    }
  }
  return {
    name: entry.situation,
    title: entry.title ?? entry.situation,
    family: familyOf(entry),
    techniques: entry.techniques,
    logs: [...logs.values()],
    alerts: [...groups].map(
      ([
        key,
        {
          rule,
          logs: own,
          labels: [...given],
        },
      ]) => ({
        alert: toAlert(`${entry.situation} ${key}`, rule, own),
        expected: given[0],
      }),
    ),
    day: {
      rules: matched,
      images: new Set([...logs.values()].map(({ process }) => process.toLowerCase()).filter((image) => image !== "")),
    },
  };
}

export function toAlert(id: string, rule: SigmaRule, logs: readonly LogEvent[]): InvestigatedAlert {
  return {
    id,
    title: rule.title,
    rule_id: rule.id,
    severity: rule.severity,
    mitre_techniques: rule.mitre_techniques,
    tactics: rule.mitre_tactics,
    log_ids: logs.map((log) => log.id),
    host: logs[0]?.host ?? null,
  };
}
