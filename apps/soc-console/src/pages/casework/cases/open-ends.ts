import type { CasePage } from "./cases-client.ts";

export interface OpenEnds {
  inForce: NonNullable<CasePage["edr_actions"]>;
  approvals: NonNullable<CasePage["approvals"]>;
  tasks: CasePage["case"]["tasks"];
  runs: NonNullable<CasePage["executions"]>;
  /** Parts that failed to load, so that more may be open. */
  unread: readonly string[];
}

const RUNNING = new Set(["queued", "running", "waiting"]);

/** What stays active after the case is closed: isolated hosts, pending approvals, waiting runs, open tasks. */
export function findOpenEnds({ edr_actions, approvals, executions, case: record, partial }: CasePage): OpenEnds {
  return {
    inForce: (edr_actions ?? []).filter(
      ({ action, status, ended_at }) => action === "isolate" && ended_at === null && status !== "blocked",
    ),
    // The page has the open ones; a request stays open after its agent stopped waiting.
    approvals: approvals ?? [],
    tasks: record.tasks.filter(({ status }) => status !== "done"),
    runs: (executions ?? []).filter(({ status }) => RUNNING.has(status)),
    unread: partial.filter((part) => ["edr_actions", "approvals", "executions"].includes(part)),
  };
}

export function countOpenEnds({ inForce, approvals, tasks, runs }: OpenEnds): number {
  return inForce.length + approvals.length + tasks.length + runs.length;
}
