import type { Scope } from "../../foundation/caller/caller.ts";
import type { LogsService } from "../search/logs.service.ts";
import { formatTerm } from "../search/query-term.ts";
import { PROCESS_NAMES } from "./process-names.ts";
import { buildProcessTree, type ProcessNode, selectFamily } from "./process-tree.ts";

/** The host, and the time range in which its processes started. */
export interface WantedProcesses {
  host: string;
  from?: string;
  to?: string;
}

export interface FoundProcesses {
  processes: ProcessNode[];
  /** False if the host has more process events than were read. */
  is_complete: boolean;
}

const MAX_PROCESS_EVENTS = 500;

/** An event with one of these fields names the parent of a process. */
const STARTS_PROCESS = [...PROCESS_NAMES.parent.guid, ...PROCESS_NAMES.parent.pid, PROCESS_NAMES.audit.actor]
  .map((name) => `attributes.${name}:*`)
  .join(" OR ");

/**
 * Returns the wanted processes of a host with their ancestors and descendants, from the newest events, with one bounded
 * query.
 */
export async function readProcesses(
  logs: Pick<LogsService, "newest">,
  scope: Scope,
  { host, ...window }: WantedProcesses,
  isWanted: (node: ProcessNode) => boolean,
  signal?: AbortSignal,
): Promise<FoundProcesses> {
  const query = `${formatTerm("host", host)} AND (${STARTS_PROCESS})`;
  const answer = await logs.newest(scope, { query, ...window }, MAX_PROCESS_EVENTS, signal);
  const { logs: found, total, is_partial = false } = answer;
  const is_complete = !is_partial && total <= found.length;
  return { processes: selectFamily(buildProcessTree(found), isWanted), is_complete };
}
