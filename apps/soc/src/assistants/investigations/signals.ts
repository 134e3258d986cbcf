import type { Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { nameOf, readFacts } from "./event-facts.ts";
import type { DeviceVerdict } from "./event-reader.ts";
import type { Evidence, LinkedAlert } from "./gather.ts";
import { isShared } from "./process-tree.ts";

/** The names of the signals in the order of an explanation. */
export const SIGNALS = [
  ...(["severity", "feedback", "rule_common", "process_common", "linked_rules", "tactics"] as const),
  ...(["ioc_hits", "user_path", "device", "system_process", "script_host", "remote_contact"] as const),
] as const;
export type Signal = (typeof SIGNALS)[number];

export type SignalValues = Readonly<Record<Signal, number>>;

const LEVELS: Readonly<Record<Severity, number>> = { info: 0, low: 1, medium: 2, high: 3, critical: 4 };
/** The weight of another rule in the same tree by severity: noisy rules are rarely high. */
const LINK_WEIGHTS: Readonly<Record<Severity, number>> = { info: 0, low: 0.2, medium: 0.5, high: 3, critical: 6 };
const DEVICE_VALUES: Readonly<Record<DeviceVerdict, number>> = { trusted: 0, stale: 0.5, failed: 1, untrusted: 1 };
const MAX_FEEDBACK = 3;
const MAX_IOC_HITS = 3;

/** Locations that unprivileged users can write to. */
const USER_PATH =
  /\\(?:users\\(?!(?:all users|default)\\)|programdata\\|temp\\|\$recycle\.bin\\|perflogs\\)|^\/(?:tmp|var\/tmp|dev\/shm|home)\//i;
/** Programs that run scripts of other authors. */
const SCRIPT_HOSTS: ReadonlySet<string> = new Set([
  ...["powershell.exe", "pwsh.exe", "cmd.exe", "wscript.exe", "cscript.exe", "mshta.exe", "rundll32.exe"],
  ...["regsvr32.exe", "wmic.exe", "python.exe", "bash", "sh", "dash", "zsh", "python3", "perl", "osascript", "pwsh"],
]);
/** Loopback, link-local, multicast and unset addresses stay within the machine or the segment. */
const LOCAL_ADDRESS = /^(?:127\.|169\.254\.|22[4-9]\.|23\d\.|255\.|0\.0\.0\.0$|::1?$|fe[89ab]|ff)/i;

export function measureSignals(evidence: Evidence): SignalValues {
  const { alert, feedback, device, imageDayShare, tree } = evidence;
  const own = tree.processes.filter(({ link }) => link === "own");
  const hasScriptHost = tree.processes.some(({ ref }) => SCRIPT_HOSTS.has(nameOf(ref.image)));
  const hasUserPath = tree.processes.some(({ ref }) => USER_PATH.test(ref.image));
  return {
    severity: LEVELS[alert.severity],
    feedback: computeFeedback(feedback),
    rule_common: evidence.ruleDayShare,
    process_common: imageDayShare ?? 0,
    linked_rules: Math.log1p(weighLinked(evidence)),
    tactics: Math.log1p(countTactics(evidence)),
    ioc_hits: Math.min(new Set(evidence.iocHits.map(({ value }) => value)).size, MAX_IOC_HITS),
    user_path: Number(hasUserPath),
    device: device === undefined ? 0 : DEVICE_VALUES[device],
    system_process: Number(own.length > 0 && own.every(({ ref }) => isShared(ref))),
    script_host: Number(hasScriptHost),
    // Nearly every program connects, but scripts and programs in user paths rarely do so legitimately.
    remote_contact: Number((hasScriptHost || hasUserPath) && listContacts(evidence).length > 0),
  };
}

/** Returns the events in which a process of the tree connects to another machine or the reverse. */
export function listContacts({ tree }: Pick<Evidence, "tree">): LogEvent[] {
  return tree.processes.flatMap(({ events }) =>
    events.filter((event) => {
      const { actor } = readFacts(event);
      return actor !== undefined && tree.has(actor) && [event.src_ip, event.dst_ip].some(isRemote);
    }),
  );
}

export function isRemote(address: string): boolean {
  return address !== "" && !LOCAL_ADDRESS.test(address);
}

/**
 * Returns the alerts that count as linked: those of the same process tree or, without a known process, of the same
 * logon session. The whole host would be too wide, because other users and services would count.
 */
export function listLinked({ tree, linked }: Pick<Evidence, "tree" | "linked">): LinkedAlert[] {
  const wanted = tree.processes.length > 0 ? "tree" : "session";
  return linked.filter(({ link }) => link === wanted);
}

/** A rule that matches on more days than this is considered noise. */
const MAX_RARE_SHARE = 0.1;

/** Returns other alerts on the host that are neither linked nor frequent: worth a look, but no reason for a verdict. */
export function listNearby(evidence: Pick<Evidence, "tree" | "linked">): LinkedAlert[] {
  const linked = new Set(listLinked(evidence));
  return evidence.linked.filter(
    (each) => !linked.has(each) && each.dayShare <= MAX_RARE_SHARE && LEVELS[each.alert.severity] >= LEVELS.medium,
  );
}

/** Positive if people confirmed the rule's alerts more often than they rejected them. */
function computeFeedback({ true_positives, false_positives }: Evidence["feedback"]): number {
  const ratio = Math.log((true_positives + 1) / (false_positives + 1));
  return Math.max(-MAX_FEEDBACK, Math.min(MAX_FEEDBACK, ratio));
}

/** Each other rule counts once, and less the more often it matches on other days. */
function weighLinked(evidence: Evidence): number {
  const weights = new Map<string, number>();
  for (const { alert, dayShare } of listLinked(evidence)) {
    if (alert.rule_id !== null && alert.rule_id === evidence.alert.rule_id) continue;
    const key = alert.rule_id ?? alert.title;
    weights.set(key, Math.max(weights.get(key) ?? 0, LINK_WEIGHTS[alert.severity] * (1 - dayShare)));
  }
  // Use a fixed order, because the floating-point sum depends on it.
  return [...weights.values()].toSorted((a, b) => a - b).reduce((sum, weight) => sum + weight, 0);
}

function countTactics(evidence: Evidence): number {
  const linked = listLinked(evidence).flatMap(({ alert }) => alert.tactics);
  return new Set([...evidence.alert.tactics, ...linked]).size;
}
