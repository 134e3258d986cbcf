import type { LogEvent } from "../../ports/log-event.ts";
import { type EventFacts, nameOf, type ProcessRef, readFacts } from "./event-facts.ts";
import type { EventReader, Span } from "./event-reader.ts";

/** A process of the tree around an alert, with the events that name it. */
export interface TreeProcess {
  ref: ProcessRef;
  /** Its connection: the alert's own process, or who started or injected it. */
  link: "own" | "parent" | "child" | "injection";
  events: readonly LogEvent[];
}

export interface ProcessTree {
  processes: readonly TreeProcess[];
  /** Reports whether this process belongs to the tree. */
  has(ref: ProcessRef): boolean;
}

const TREE_LIMITS = { processes: 48, eventsOfProcess: 500 } as const;

/**
 * Processes that serve the whole machine. The tree ends at them: two programs are not related because the same service
 * manager or desktop started both.
 */
const SHARED_PROCESSES: ReadonlySet<string> = new Set([
  ...["system", "registry", "smss.exe", "csrss.exe", "wininit.exe", "winlogon.exe", "services.exe", "lsass.exe"],
  ...["svchost.exe", "userinit.exe", "explorer.exe", "wmiprvse.exe", "dllhost.exe", "taskhostw.exe", "taskeng.exe"],
  ...["runtimebroker.exe", "sihost.exe", "spoolsv.exe", "msiexec.exe", "trustedinstaller.exe", "searchindexer.exe"],
  ...["systemd", "init", "launchd", "cron", "crond", "sshd", "containerd-shim", "dockerd"],
]);

export function isShared(ref: Pick<ProcessRef, "image">): boolean {
  return SHARED_PROCESSES.has(nameOf(ref.image));
}

/** Follows parents, children and injections from the processes of these events, nearest first. */
export async function walkTree(reader: TreeReader, events: readonly LogEvent[], span: Span): Promise<ProcessTree> {
  const processes: TreeProcess[] = [];
  const seen = new Set<string>();

  /** Adds the process if it is unknown and returns its neighbours. */
  async function visit({ ref, link }: Link): Promise<Link[]> {
    if (processes.length >= TREE_LIMITS.processes || seen.has(keyOf(ref))) return [];
    if (link !== "own" && isShared(ref)) return [];
    const about = await reader.ofProcess(ref, span, TREE_LIMITS.eventsOfProcess);
    const known = complete(ref, about);
    // An event may know only the number of a process that another event has already shown.
    const isKnown = seen.has(keyOf(known));
    for (const key of [keyOf(ref), keyOf(known), numberOf(known)]) seen.add(key);
    if (isKnown) return [];
    processes.push({ ref: known, link, events: about });
    if (isShared(known)) return [];
    return listNeighbours(known, about.map(readFacts));
  }

  let next = sorted(events.flatMap((event): Link[] => toLinks(readFacts(event).actor, "own")));
  while (next.length > 0) {
    const found: Link[] = [];
    for (const link of next) found.push(...(await visit(link)));
    next = sorted(found);
  }
  return { processes, has: (ref) => seen.has(keyOf(ref)) };
}

type TreeReader = Pick<EventReader, "ofProcess">;
type Link = Pick<TreeProcess, "ref" | "link">;

function toLinks(ref: ProcessRef | undefined, link: TreeProcess["link"]): Link[] {
  return ref === undefined ? [] : [{ ref, link }];
}

function listNeighbours(of: ProcessRef, facts: readonly EventFacts[]): Link[] {
  const isIt = (ref: ProcessRef | undefined) => ref !== undefined && isSame(ref, of);
  return facts.flatMap(({ actor, parent, target, isInjection, isStart }) => [
    ...(isStart && isIt(actor) ? toLinks(parent, "parent") : []),
    ...(isStart && isIt(parent) ? toLinks(actor, "child") : []),
    ...(isInjection && isIt(actor) ? toLinks(target, "injection") : []),
    ...(isInjection && isIt(target) ? toLinks(actor, "injection") : []),
  ]);
}

/** Adds facts about the process from other events: its guid, number or image. */
function complete(ref: ProcessRef, events: readonly LogEvent[]): ProcessRef {
  const others = events.flatMap((event) => {
    const { actor, parent, target } = readFacts(event);
    return [actor, parent, target].flatMap((other) => (other && isSame(other, ref) ? [other] : []));
  });
  return {
    host: ref.host,
    guid: ref.guid || (others.find(({ guid }) => guid !== "")?.guid ?? ""),
    pid: ref.pid || (others.find(({ pid }) => pid !== 0)?.pid ?? 0),
    image: ref.image || (others.find(({ image }) => image !== "")?.image ?? ""),
  };
}

/** Reports whether the process acts in the event, is its target, or starts another one. */
export function isAbout({ actor, target, parent }: EventFacts, process: ProcessRef): boolean {
  return [actor, target, parent].some((ref) => ref !== undefined && isSame(process, ref));
}

/** If both events name a guid, it must be equal; otherwise the number decides, which is unique at any time. */
function isSame(a: ProcessRef, b: ProcessRef): boolean {
  if (a.guid !== "" && b.guid !== "") return a.guid === b.guid;
  return a.pid !== 0 && a.pid === b.pid && a.host === b.host;
}

function keyOf(ref: ProcessRef): string {
  return ref.guid || numberOf(ref);
}

function numberOf({ host, pid }: ProcessRef): string {
  return `${host} ${pid}`;
}

/** Sorts independently of ids and arrival, so that the limits always cut the same processes. */
function sorted(links: readonly Link[]): Link[] {
  return links.toSorted(({ ref: a }, { ref: b }) => {
    const [first, second] = [`${a.host} ${a.image} ${a.pid}`, `${b.host} ${b.image} ${b.pid}`];
    if (first === second) return 0;
    return first < second ? -1 : 1;
  });
}
