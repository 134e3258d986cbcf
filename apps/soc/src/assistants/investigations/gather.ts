import { unifyHost } from "../../foundation/records/entity-name.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { nameOf, readFacts } from "./event-facts.ts";
import type { DeviceVerdict, EventReader, InvestigatedAlert, IocHit, RuleFeedback, Span } from "./event-reader.ts";
import { type ProcessTree, walkTree } from "./process-tree.ts";

/** Another alert on the host and its connection with the investigated one; "host" is the weakest connection. */
export interface LinkedAlert {
  alert: InvestigatedAlert;
  link: "tree" | "session" | "host";
  /** Its events that show the connection. */
  events: readonly LogEvent[];
  /** The share of the last 30 days on which its rule matched. */
  dayShare: number;
}

/** Everything that an investigation has read: the input of signals and findings. */
export interface Evidence {
  alert: InvestigatedAlert;
  /** The events of the alert, oldest first. */
  events: readonly LogEvent[];
  tree: ProcessTree;
  linked: readonly LinkedAlert[];
  /** Events of the same logon session, user or address. */
  session: readonly LogEvent[];
  user: readonly LogEvent[];
  address: readonly LogEvent[];
  feedback: RuleFeedback;
  /** The share of the last 30 days on which the rule matched. */
  ruleDayShare: number;
  /** The highest share of the last 30 days on which one of the alert's images acted; undefined without an image. */
  imageDayShare: number | undefined;
  iocHits: readonly IocHit[];
  device: DeviceVerdict | undefined;
}

const HOUR_MS = 60 * 60_000;
const GATHER_LIMITS = {
  ownEvents: 50,
  linkedAlerts: 200,
  eventsOfLinked: 10,
  images: 5,
  context: 100,
  iocHits: 100,
} as const;

const NO_FEEDBACK: RuleFeedback = { true_positives: 0, false_positives: 0 };

/** Reads the context of an alert, one hour before and after, with a limited number of limited queries. */
export async function gather(reader: EventReader, alert: InvestigatedAlert): Promise<Evidence> {
  const events = byTime(await reader.find(alert.log_ids.slice(0, GATHER_LIMITS.ownEvents)));
  const span = computeSpan(events);
  const tree = await walkTree(reader, events, span);
  const [session, user, address] = await gatherContext(reader, events, span);
  const nearby = await readNearby(reader, alert, events, span);
  const rule_ids = new Set([alert, ...nearby].flatMap(({ rule_id }) => rule_id ?? []));
  const dayShares = await reader.ruleDayShares([...rule_ids], span.from);
  const linked = await linkAlerts(reader, { events, tree }, nearby, dayShares);
  const inTree = tree.processes.flatMap((process) => process.events);
  return {
    alert,
    events,
    tree,
    linked,
    session,
    user,
    address,
    feedback: alert.rule_id === null ? NO_FEEDBACK : await reader.ruleFeedback(alert.rule_id),
    ruleDayShare: dayShares.get(alert.rule_id ?? "") ?? 0,
    imageDayShare: await readImageShare(reader, events, span.from),
    iocHits: await reader.iocHits(uniqueById([...events, ...inTree]), GATHER_LIMITS.iocHits),
    device: await readDevice(reader, alert, events),
  };
}

/** Returns the span from an hour before the first event to an hour after the last one. */
function computeSpan(events: readonly LogEvent[]): Span {
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

/** Returns the other alerts on the host within the span. */
async function readNearby(
  reader: EventReader,
  alert: InvestigatedAlert,
  events: readonly LogEvent[],
  span: Span,
): Promise<InvestigatedAlert[]> {
  const host = unifyHost(alert.host ?? events[0]?.host ?? "");
  if (host === "" || events.length === 0) return [];
  const alerts = await reader.alertsOn(host, span, GATHER_LIMITS.linkedAlerts);
  return alerts.filter(({ id }) => id !== alert.id);
}

async function linkAlerts(
  reader: Pick<EventReader, "find">,
  { events, tree }: Pick<Evidence, "events" | "tree">,
  others: readonly InvestigatedAlert[],
  dayShares: ReadonlyMap<string, number>,
): Promise<LinkedAlert[]> {
  const idsOf = ({ log_ids }: InvestigatedAlert) => log_ids.slice(0, GATHER_LIMITS.eventsOfLinked);
  const byId = new Map((await reader.find(others.flatMap(idsOf))).map((log) => [log.id, log]));
  const sessions = new Set(listSessions(events, tree));
  return others.map((alert) => {
    const own = byTime(idsOf(alert).flatMap((id) => byId.get(id) ?? []));
    const inTree = own.filter((log) => {
      const { actor } = readFacts(log);
      return actor !== undefined && tree.has(actor);
    });
    const inSession = own.filter((log) => sessions.has(sessionKey(log)));
    const dayShare = dayShares.get(alert.rule_id ?? "") ?? 0;
    if (inTree.length > 0) return { alert, link: "tree", events: inTree, dayShare };
    if (inSession.length > 0) return { alert, link: "session", events: inSession, dayShare };
    return { alert, link: "host", events: own, dayShare };
  });
}

/** Identifies a session, because different hosts may use the same id; "" for an event without a session. */
function sessionKey(log: LogEvent): string {
  const { host, session } = readFacts(log);
  return session === "" ? "" : `${host} ${session}`;
}

function listSessions(events: readonly LogEvent[], tree: ProcessTree): string[] {
  const starts = tree.processes
    .flatMap((process) => process.events)
    .filter((event) => {
      const { isStart, actor } = readFacts(event);
      return isStart && actor !== undefined && tree.has(actor);
    });
  return [...events, ...starts].map(sessionKey).filter((key) => key !== "");
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

/** Sorts oldest first. */
export function byTime(logs: readonly LogEvent[]): LogEvent[] {
  return logs.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)));
}

export function uniqueById(logs: readonly LogEvent[]): LogEvent[] {
  return [...new Map(logs.map((log) => [log.id, log])).values()];
}
