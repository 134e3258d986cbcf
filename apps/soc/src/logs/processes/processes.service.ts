import { invalidField } from "@kit/problem";
import type { AlertsService } from "../../alerts/module.ts";
import { type Caller, isCallerAllowed, toScope } from "../../foundation/caller/caller.ts";
import type { LogsService } from "../search/logs.service.ts";
import type { ProcessNode } from "./process-tree.ts";
import type { ProcessTree, ProcessTreeQuery } from "./processes.schema.ts";
import { readProcesses } from "./processes.ts";

export interface ProcessesServiceDeps {
  logs: Pick<LogsService, "newest">;
  alerts: Pick<AlertsService, "findNaming">;
}
export type ProcessesService = ReturnType<typeof createProcessesService>;

const MAX_ALERTS = 20;
const HALF_DAY_MS = 12 * 60 * 60_000;

export function createProcessesService({ logs, alerts }: ProcessesServiceDeps) {
  /** Returns the alerts that name the log of a process start, by log. Empty for a caller who may not read alerts. */
  async function findAlerts(caller: Caller, host: string, nodes: readonly ProcessNode[]) {
    const found = new Map<string, string[]>();
    if (!isCallerAllowed(caller, ["alerts:read"])) return found;
    const naming = await alerts.findNaming(
      toScope(caller),
      host,
      nodes.flatMap(({ log_id }) => log_id ?? []),
    );
    for (const { id, log_ids } of naming) {
      for (const log_id of log_ids) found.set(log_id, [...(found.get(log_id) ?? []), id]);
    }
    return found;
  }

  return {
    async tree(caller: Caller, query: ProcessTreeQuery, signal?: AbortSignal): Promise<ProcessTree> {
      const { host, pid, guid, at, from, to } = query;
      const window = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
      if (pid !== undefined && guid !== undefined) throw invalidField("guid", "cannot be combined with pid");
      if (at !== undefined && (window.from !== undefined || window.to !== undefined)) {
        throw invalidField("at", "cannot be combined with from and to");
      }
      const span = at === undefined ? window : toSpan(at);
      const isWanted = ({ id }: ProcessNode) => isNamed(id, pid, guid);
      const scope = toScope(caller);
      const { processes, is_complete } = await readProcesses(logs, scope, { host, ...span }, isWanted, signal);
      const known = new Set(processes.map(({ id }) => id));
      const edges = processes.flatMap(({ id, parent_id }) =>
        parent_id !== null && known.has(parent_id) ? [{ from: parent_id, to: id }] : [],
      );
      const found = await findAlerts(caller, host, processes);
      const nodes = processes.map((node) => ({
        ...node,
        alerts: found.get(node.log_id ?? "")?.slice(0, MAX_ALERTS) ?? [],
      }));
      return { host, nodes, edges, is_partial: !is_complete };
    },
  };
}

function toSpan(at: string): { from: string; to: string } {
  const ms = Date.parse(at);
  return { from: new Date(ms - HALF_DAY_MS).toISOString(), to: new Date(ms + HALF_DAY_MS).toISOString() };
}

/** Windows writes PIDs in decimal or hexadecimal. */
function isNamed(id: string, pid: string | undefined, guid: string | undefined): boolean {
  if (guid !== undefined) return id.toLowerCase() === guid.toLowerCase();
  return pid === undefined || Number(id) === Number(pid);
}
