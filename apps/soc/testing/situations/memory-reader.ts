import { type EventFacts, readFacts } from "../../src/assistants/investigations/event-facts.ts";
import type {
  DeviceVerdict,
  EventReader,
  InvestigatedAlert,
  IocHit,
  RuleFeedback,
  Span,
} from "../../src/assistants/investigations/event-reader.ts";
import { isAbout } from "../../src/assistants/investigations/process-tree.ts";
import { unifyAddress, unifyHost, unifyUser } from "../../src/foundation/records/entity-name.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";

/** One day of the past: the rules that matched, and the images that acted, in lower case. */
export interface HistoryDay {
  rules: ReadonlySet<string>;
  images: ReadonlySet<string>;
}

export interface MemoryWorld {
  logs: readonly LogEvent[];
  alerts: readonly InvestigatedAlert[];
  history: readonly HistoryDay[];
  feedback?: ReadonlyMap<string, RuleFeedback>;
  /** Values that are indicators; an event that contains one is a hit. */
  iocs?: readonly string[];
  devices?: ReadonlyMap<string, DeviceVerdict>;
}

/** The reader of an investigation over logs in memory. */
export function createMemoryReader(world: MemoryWorld): EventReader {
  const { logs, alerts, history, feedback = new Map(), iocs = [], devices = new Map() } = world;
  const byId = new Map(logs.map((log) => [log.id, log]));
  // Never cut simultaneous events by id.
  const inOrder = logs.toSorted((a, b) => compare(a.timestamp, b.timestamp) || compare(a.message, b.message));
  const facts = new Map(logs.map((log) => [log, readFacts(log)]));

  function select(span: Span, limit: number, isWanted: (log: LogEvent, of: EventFacts) => boolean): LogEvent[] {
    const [from, to] = [span.from.toISOString(), span.to.toISOString()];
    const middle = new Date((span.from.getTime() + span.to.getTime()) / 2).toISOString();
    const found = inOrder.filter((log) => {
      const of = facts.get(log);
      return of !== undefined && log.timestamp >= from && log.timestamp < to && isWanted(log, of);
    });
    if (found.length <= limit) return found;
    const half = Math.ceil(limit / 2);
    const before = found.filter(({ timestamp }) => timestamp < middle).slice(-half);
    return [...before, ...found.filter(({ timestamp }) => timestamp >= middle).slice(0, half)];
  }

  const shareOf = (isMet: (day: HistoryDay) => boolean) =>
    history.length === 0 ? 0 : history.filter(isMet).length / history.length;

  return {
    find: async (log_ids) => log_ids.flatMap((id) => byId.get(id) ?? []),
    ofProcess: async (process, span, limit) => select(span, limit, (_, of) => isAbout(of, process)),
    ofSession: async ({ host, id }, span, limit) =>
      select(span, limit, (_, of) => of.session === id && of.host === host),
    ofUser: async (user, span, limit) => select(span, limit, (log) => unifyUser(log.user) === unifyUser(user)),
    ofAddress: async (address, span, limit) =>
      select(span, limit, (log) => [log.src_ip, log.dst_ip].includes(unifyAddress(address))),
    alertsOn: async (host, span, limit) =>
      alerts
        .filter(
          (alert) =>
            alert.host !== null &&
            unifyHost(alert.host) === host &&
            alert.log_ids.some((id) => isWithin(byId.get(id), span)),
        )
        .slice(0, limit),
    ruleFeedback: async (rule_id) => feedback.get(rule_id) ?? { true_positives: 0, false_positives: 0 },
    ruleDayShares: async (rule_ids) =>
      new Map(rule_ids.map((rule_id) => [rule_id, shareOf(({ rules }) => rules.has(rule_id))])),
    imageDayShare: async (image) => shareOf(({ images }) => images.has(image.toLowerCase())),
    iocHits: async (of, limit) => findHits(of, iocs).slice(0, limit),
    deviceVerdict: async (host) => devices.get(host),
  };
}

function findHits(logs: readonly LogEvent[], iocs: readonly string[]): IocHit[] {
  if (iocs.length === 0) return [];
  return logs.flatMap((log) => {
    const text = JSON.stringify(log).toLowerCase();
    return iocs.filter((value) => text.includes(value.toLowerCase())).map((value) => ({ log_id: log.id, value }));
  });
}

function isWithin(log: LogEvent | undefined, { from, to }: Span): boolean {
  return log !== undefined && log.timestamp >= from.toISOString() && log.timestamp < to.toISOString();
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
