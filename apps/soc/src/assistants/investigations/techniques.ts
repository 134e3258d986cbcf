import type { LogEvent } from "../../ports/log-event.ts";
import { readFacts, textOf } from "./event-facts.ts";
import type { Evidence } from "./gather.ts";
import { listLinked, listNearby } from "./signals.ts";

/**
 * ATT&CK 19 replaced T1562 (Impair Defenses) by T1685 to T1690, and rules already use the new ids. Maps each new id to
 * the older one of ATT&CK 18 and older reports. Sub-techniques without a row map to T1562 as a whole.
 */
const OLDER_IDS: Readonly<Record<string, string>> = {
  T1685: "T1562",
  "T1685.001": "T1562.002",
  "T1685.002": "T1562.008",
  "T1685.004": "T1562.012",
  "T1685.005": "T1070.001",
  "T1685.006": "T1070.002",
  T1686: "T1562.004",
  "T1686.001": "T1562.007",
  "T1686.003": "T1562.004",
  T1687: "T1562",
  T1688: "T1562",
  T1689: "T1562",
  T1690: "T1562",
};

/** A technique, and the events that show it. */
export interface NamedTechnique {
  id: string;
  /** The title of the rule that names it, or what an event shows. */
  by: string;
  events: readonly LogEvent[];
}

/** Returns the id and, if ATT&CK renamed it, its older id. */
export function withOlderIds(id: string): string[] {
  const [whole = id] = id.split(".", 1);
  const older = OLDER_IDS[id] ?? OLDER_IDS[whole];
  return older === undefined ? [id] : [id, older];
}

/** Returns the id without its sub-technique as in ATT&CK 18: T1685 to T1690 were parts of T1562. */
export function toWholeTechnique(id: string): string {
  const [whole = id] = id.split(".", 1);
  return OLDER_IDS[whole]?.split(".", 1)[0] ?? whole;
}

/** Reports whether two ids name the same technique: equal, renamed, or one is a sub-technique of the other. */
export function isSameTechnique(a: string, b: string): boolean {
  return withOlderIds(a).some((one) =>
    withOlderIds(b).some((other) => one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)),
  );
}

/**
 * Lists the techniques of the alert first, then those of linked alerts, of rare alerts nearby, and those that events
 * show without a rule.
 */
export function nameTechniques(evidence: Evidence): NamedTechnique[] {
  const { alert, events, tree } = evidence;
  const named = new Map<string, NamedTechnique>();
  const add = (id: string, by: string, shown: readonly LogEvent[]) => {
    if (!named.has(id) && shown.length > 0) named.set(id, { id, by, events: shown });
  };
  for (const id of alert.mitre_techniques) add(id, alert.title, events);
  for (const { alert: other, events: shown } of [...listLinked(evidence), ...listNearby(evidence)]) {
    for (const id of other.mitre_techniques) add(id, other.title, shown);
  }
  const all = [...events, ...tree.processes.flatMap((process) => process.events)];
  for (const { id, words, isShown } of SHOWN_BY_EVENTS) add(id, words, all.filter(isShown));
  return [...named.values()];
}

/** Techniques that one event shows without a rule. */
const SHOWN_BY_EVENTS: readonly { id: string; words: string; isShown: (log: LogEvent) => boolean }[] = [
  { id: "T1055", words: "a thread started in another process", isShown: startsRemoteThread },
  { id: "T1021.003", words: "a COM server started for another machine", isShown: startsComServer },
  { id: "T1562.002", words: "a change of what Windows logs", isShown: changesLogging },
];

function startsRemoteThread(log: LogEvent): boolean {
  return readFacts(log).isInjection && textOf(log, "NewThreadId") !== "";
}

/** The COM service starts an application outside of the desktop session, so the call came over the network. */
function startsComServer(log: LogEvent): boolean {
  return (
    readFacts(log).isStart &&
    /dcomlaunch/i.test(textOf(log, "ParentCommandLine")) &&
    /[-/](?:embedding|automation)\b/i.test(textOf(log, "CommandLine")) &&
    textOf(log, "TerminalSessionId") === "0" &&
    !/\\nt authority\\|system$/i.test(`\\${log.user}`)
  );
}

/** Registry values that control what Windows records: the log service, its sessions, and the audit of command lines. */
const LOG_SETTINGS = /\\(?:services\\eventlog|autologger\\eventlog-[^\\]+|policies\\system\\audit)\\/i;

function changesLogging(log: LogEvent): boolean {
  return LOG_SETTINGS.test(textOf(log, "TargetObject")) && textOf(log, "Details") !== "";
}
