import type { LogEvent } from "../../ports/log-event.ts";
import { attributeAt, PROCESS_NAMES } from "./process-names.ts";

export interface ProcessNode {
  id: string;
  parent_id: string | null;
  name: string | null;
  command_line: string | null;
  user: string | null;
  started_at: string | null;
  log_id: string | null;
}

interface Link {
  id: string;
  parent_id: string;
  parent_name: string | null;
}

const { actor, parent, audit } = PROCESS_NAMES;
/** The fields in which an event names a process and its parent, most exact first. */
const LINKS: readonly { id: readonly string[]; parent: readonly string[] }[] = [
  { id: actor.guid, parent: parent.guid },
  { id: [audit.actor], parent: [audit.parent] },
  { id: actor.pid, parent: parent.pid },
];
const COMMANDS = ["CommandLine", "process.command_line"];
const MAX_TEXT = 1000;

/** Returns the processes that the events of one host report, each with its parent, oldest first. */
export function buildProcessTree(logs: readonly LogEvent[]): ProcessNode[] {
  const nodes = new Map<string, ProcessNode>();
  for (const log of logs.toSorted(compareTimes)) {
    const link = findLink(log);
    if (!link) continue;
    const { id, parent_id, parent_name } = link;
    // A parent that no event describes.
    if (!nodes.has(parent_id)) nodes.set(parent_id, { ...UNKNOWN, id: parent_id, name: parent_name });
    const known = nodes.get(id);
    if (known && known.log_id !== null) continue;
    nodes.set(id, {
      id,
      parent_id,
      name: readFirst(log, actor.image) ?? (log.process || (known?.name ?? null)),
      command_line: readFirst(log, COMMANDS),
      user: log.user || null,
      started_at: log.timestamp,
      log_id: log.id,
    });
  }
  return [...nodes.values()];
}

/** Whether a process has this id, or this text in its name. */
export function hasNameOrId({ id, name }: ProcessNode, text: string): boolean {
  const wanted = text.toLowerCase();
  return id.toLowerCase() === wanted || (name?.toLowerCase().includes(wanted) ?? false);
}

/** Returns the wanted processes with their ancestors and descendants. */
export function selectFamily(nodes: readonly ProcessNode[], isWanted: (node: ProcessNode) => boolean): ProcessNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string | null, ProcessNode[]>();
  for (const node of nodes) children.set(node.parent_id, [...(children.get(node.parent_id) ?? []), node]);
  const family = new Set<ProcessNode>();
  const above = nodes.filter(isWanted);
  const below = [...above];
  // Process ids are reused, so events may form a cycle; each process is visited once.
  for (let node = below.pop(); node; node = below.pop()) {
    if (family.has(node)) continue;
    family.add(node);
    below.push(...(children.get(node.id) ?? []));
  }
  const seen = new Set<ProcessNode>();
  for (let node = above.pop(); node; node = above.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    family.add(node);
    const parent = node.parent_id === null ? undefined : byId.get(node.parent_id);
    if (parent) above.push(parent);
  }
  return nodes.filter((node) => family.has(node));
}

/** Events of the same millisecond keep the order of arrival, which their ids contain. */
function compareTimes(a: LogEvent, b: LogEvent): number {
  return `${a.timestamp} ${a.id}` < `${b.timestamp} ${b.id}` ? -1 : 1;
}

const UNKNOWN = { parent_id: null, command_line: null, user: null, started_at: null, log_id: null } as const;

function findLink(log: LogEvent): Link | undefined {
  for (const names of LINKS) {
    const [id, parent_id] = [readFirst(log, names.id), readFirst(log, names.parent)];
    if (id !== null && parent_id !== null && id !== parent_id) {
      return { id, parent_id, parent_name: readFirst(log, parent.image) };
    }
  }
  return undefined;
}

function readFirst(log: LogEvent, names: readonly string[]): string | null {
  for (const name of names) {
    const found = read(log, name);
    if (found !== null) return found;
  }
  return null;
}

function read(log: LogEvent, name: string): string | null {
  const value = attributeAt(log, name);
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_TEXT) : null;
}
