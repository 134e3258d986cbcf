import { invalidField } from "@kit/problem";
import type { LogsService } from "../search/logs.service.ts";
import type { ProcessNode } from "./process-tree.ts";
import type { ProcessTree, ProcessTreeQuery } from "./processes.schema.ts";
import { readProcesses } from "./processes.ts";

export interface ProcessesServiceDeps {
  logs: Pick<LogsService, "newest">;
}
export type ProcessesService = ReturnType<typeof createProcessesService>;

const HALF_DAY_MS = 12 * 60 * 60_000;

export function createProcessesService({ logs }: ProcessesServiceDeps) {
  return {
    async tree({ host, pid, guid, at, ...window }: ProcessTreeQuery, signal?: AbortSignal): Promise<ProcessTree> {
      if (pid !== undefined && guid !== undefined) throw invalidField("guid", "cannot be combined with pid");
      if (at !== undefined && (window.from !== undefined || window.to !== undefined)) {
        throw invalidField("at", "cannot be combined with from and to");
      }
      const span = at === undefined ? window : toSpan(at);
      const isWanted = ({ id }: ProcessNode) => isNamed(id, pid, guid);
      const { processes, is_complete } = await readProcesses(logs, { host, ...span }, isWanted, signal);
      const known = new Set(processes.map(({ id }) => id));
      const edges = processes.flatMap(({ id, parent_id }) =>
        parent_id !== null && known.has(parent_id) ? [{ from: parent_id, to: id }] : [],
      );
      return { host, nodes: processes, edges, is_partial: !is_complete };
    },
  };
}

function toSpan(at: string): { from: string; to: string } {
  const ms = Date.parse(at);
  return { from: new Date(ms - HALF_DAY_MS).toISOString(), to: new Date(ms + HALF_DAY_MS).toISOString() };
}

/** Windows writes numbers of processes in either base. */
function isNamed(id: string, pid: string | undefined, guid: string | undefined): boolean {
  if (guid !== undefined) return id.toLowerCase() === guid.toLowerCase();
  return pid === undefined || Number(id) === Number(pid);
}
