import { unifyHost } from "../../foundation/records/entity-name.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import { nameOf, readFacts } from "./event-facts.ts";
import type { DeviceVerdict, EventReader, InvestigatedAlert, IocHit, RuleRecord, Span } from "./event-reader.ts";
import { type ProcessTree, walkTree } from "./process-tree.ts";

/** Another alert on the host, and what connects it with the investigated one; "host" is the weakest connection. */
export interface LinkedAlert {
  alert: InvestigatedAlert;
  link: "tree" | "session" | "host";
  /** Its events that show the connection. */
  events: readonly LogEvent[];
  /** The share of the last 30 days on which its rule matched. */
  dayShare: number;
}

/** All that an investigation has read: the input of the signals and of the findings. */
export interface Evidence {
  alert: InvestigatedAlert;
  /** The alert's own events, the oldest first. */
  events: readonly LogEvent[];
  tree: ProcessTree;
  linked: readonly LinkedAlert[];
  /** Events of the same logon session, user or address. */
  session: readonly LogEvent[];
  user: readonly LogEvent[];
  address: readonly LogEvent[];
  rule: RuleRecord;
  /** The highest share of the last 30 days on which one of the alert's own images acted; undefined without an image. */
  imageDayShare: number | undefined;
  iocHits: readonly IocHit[];
  device: DeviceVerdict | undefined;
}

const HOUR_MS = 60 * 60_000;
export const GATHER_LIMITS = {
  ownEvents: 50,
  linkedAlerts: 200,
  eventsOfLinked: 20,
  images: 5,
  context: 100,
  iocHits: 100,
} as const;

const NEW_RULE: RuleRecord = { true_positives: 0, false_positives: 0, dayShare: 0 };

/** Reads what surrounds an alert, an hour each way, in a bounded number of bounded queries. */
export async function gather(reader: EventReader, alert: InvestigatedAlert): Promise<Evidence> {
  const events = byTime(await reader.find(alert.log_ids.slice(0, GATHER_LIMITS.ownEvents)));
  const span = spanOf(events);
  const tree = await walkTree(reader, events, span);
  const until = span.from;
  const [session, user, address] = await gatherContext(reader, events, span);
  const linked = await gatherLinked(reader, { alert, events, tree }, span);
  const inTree = tree.processes.flatMap((process) => process.events);
  return {
    alert,
    events,
    tree,
    linked,
    session,
    user,
    address,
    rule: alert.rule_id === null ? NEW_RULE : await reader.ruleRecord(alert.rule_id, until),
    imageDayShare: await readImageShare(reader, events, until),
    iocHits: await reader.iocHits(uniqueById([...events, ...inTree]), GATHER_LIMITS.iocHits),
    device: await readDevice(reader, alert, events),
  };
}

/** From an hour before the first event to an hour after the last one. */
function spanOf(events: readonly LogEvent[]): Span {
  const times = events.map(({ timestamp }) => Date.parse(timestamp));
  if (times.length === 0) return { from: new Date(0), to: new Date(0) };
  return { from: new Date(Math.min(...times) - HOUR_MS), to: new Date(Math.max(...times) + HOUR_MS + 1) };
}

async function gatherContext(
  reader: EventReader,
  events: readonly LogEvent[],
  span: Span,
): Promise<[session: LogEvent[], user: LogEvent[], address: LogEvent[]]> {
  const facts = events.map(readFacts).find(({ session }) => session !== "");
  const user = events.find((event) => event.user !== "" && !event.user.endsWith("$"))?.user;
  const address = events.map(({ src_ip, dst_ip }) => src_ip || dst_ip).find((each) => each !== "");
  return [
    facts ? await reader.ofSession({ host: facts.host, id: facts.session }, span, GATHER_LIMITS.context) : [],
    user === undefined ? [] : await reader.ofUser(user, span, GATHER_LIMITS.context),
    address === undefined ? [] : await reader.ofAddress(address, span, GATHER_LIMITS.context),
  ];
}

async function gatherLinked(
  reader: EventReader,
  { alert, events, tree }: Pick<Evidence, "alert" | "events" | "tree">,
  span: Span,
): Promise<LinkedAlert[]> {
  const host = unifyHost(alert.host ?? events[0]?.host ?? "");
  if (host === "") return [];
  const others = (await reader.alertsOn(host, span, GATHER_LIMITS.linkedAlerts)).filter(({ id }) => id !== alert.id);
  const logs = await reader.find(others.flatMap(({ log_ids }) => log_ids.slice(0, GATHER_LIMITS.eventsOfLinked)));
  const byId = new Map(logs.map((log) => [log.id, log]));
  const sessions = new Set(sessionsOf(events, tree));
  const dayShares = new Map<string, number>();
  const linked: LinkedAlert[] = [];
  for (const other of others) {
    const own = byTime(other.log_ids.slice(0, GATHER_LIMITS.eventsOfLinked).flatMap((id) => byId.get(id) ?? []));
    const inTree = own.filter((log) => {
      const { actor } = readFacts(log);
      return actor !== undefined && tree.has(actor);
    });
    const inSession = own.filter((log) => {
      const facts = readFacts(log);
      return facts.session !== "" && facts.host === host && sessions.has(facts.session);
    });
    const rule_id = other.rule_id ?? "";
    const dayShare =
      dayShares.get(rule_id) ?? (rule_id === "" ? 0 : (await reader.ruleRecord(rule_id, span.from)).dayShare);
    dayShares.set(rule_id, dayShare);
    if (inTree.length > 0) linked.push({ alert: other, link: "tree", events: inTree, dayShare });
    else if (inSession.length > 0) linked.push({ alert: other, link: "session", events: inSession, dayShare });
    else linked.push({ alert: other, link: "host", events: own, dayShare });
  }
  return linked;
}

function sessionsOf(events: readonly LogEvent[], tree: ProcessTree): string[] {
  const ofTree = tree.processes.flatMap((process) => process.events).map(readFacts);
  const starts = ofTree.filter(({ isStart, actor }) => isStart && actor !== undefined && tree.has(actor));
  return [...events.map(readFacts), ...starts].map(({ session }) => session).filter((session) => session !== "");
}

async function readImageShare(
  reader: EventReader,
  events: readonly LogEvent[],
  until: Date,
): Promise<number | undefined> {
  const images = new Map(events.flatMap(({ process }) => (process === "" ? [] : [[nameOf(process), process]])));
  if (images.size === 0) return undefined;
  const some = [...images.values()].toSorted().slice(0, GATHER_LIMITS.images);
  const shares: number[] = [];
  for (const image of some) shares.push(await reader.imageDayShare(image, until));
  return Math.max(...shares);
}

async function readDevice(
  reader: EventReader,
  { host }: InvestigatedAlert,
  events: readonly LogEvent[],
): Promise<DeviceVerdict | undefined> {
  const name = host ?? events[0]?.host ?? "";
  return name === "" ? undefined : reader.deviceVerdict(unifyHost(name));
}

export function byTime(logs: readonly LogEvent[]): LogEvent[] {
  return logs.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)));
}

export function uniqueById(logs: readonly LogEvent[]): LogEvent[] {
  return [...new Map(logs.map((log) => [log.id, log])).values()];
}
