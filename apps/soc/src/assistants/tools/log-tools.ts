import { isIP } from "node:net";
import { invalidField } from "@kit/problem";
import { toScope } from "../../foundation/caller/caller.ts";
import { formatTerm, hasNameOrId, type LogsService, type ProcessNode, readProcesses } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import {
  EntityTimelineInput,
  EntityTimelineOutput,
  PrevalenceInput,
  PrevalenceOutput,
  ProcessTreeInput,
  ProcessTreeOutput,
  SearchLogsInput,
  SearchLogsOutput,
} from "./read-tools.schema.ts";
import { COMPLETED, defineTool, type Tool } from "./tool.ts";
import { toToolLog } from "./tool-log.ts";

export interface LogToolsDeps {
  logs: Pick<LogsService, "newest">;
}

const reading = { permission: "siem:read", budgetMs: 20_000, changes: false, readsLogs: true, bySite: true } as const;
const MAX_SAMPLE = 500;
const MAX_NAMES = 20;

/** Creates the tools that read the log store, each with one limited query. */
export function createLogTools({ logs }: LogToolsDeps): Tool[] {
  return [
    defineTool({
      ...reading,
      name: "search_logs",
      description:
        "Searches the logs of the last 24 hours, or of another period, in the query language: field:value, quotes, wildcards, ranges, AND, OR, NOT. Returns the newest.",
      input: SearchLogsInput,
      output: SearchLogsOutput,
      async run({ caller, signal }, { limit, ...asked }) {
        const { logs: found, ...total } = await logs.newest(toScope(caller), asked, limit, signal);
        return { ...COMPLETED, ...total, logs: found.map(toToolLog) };
      },
    }),

    defineTool({
      ...reading,
      name: "entity_timeline",
      description: "Lists the newest events of a host, user or address in chronological order.",
      input: EntityTimelineInput,
      output: EntityTimelineOutput,
      async run({ caller, signal }, { kind, value, limit, ...window }) {
        const query = buildEntityQuery(kind, value);
        const { logs: found, ...total } = await logs.newest(toScope(caller), { query, ...window }, limit, signal);
        return { ...COMPLETED, ...total, events: found.toReversed().map(toToolLog) };
      },
    }),

    defineTool({
      ...reading,
      name: "process_tree",
      description: "Shows the process tree of a host from the events that report new processes.",
      input: ProcessTreeInput,
      output: ProcessTreeOutput,
      async run({ caller, signal }, { host, process, ...window }) {
        const isWanted = (node: ProcessNode) => process === undefined || hasNameOrId(node, process);
        return { ...COMPLETED, ...(await readProcesses(logs, toScope(caller), { host, ...window }, isWanted, signal)) };
      },
    }),

    defineTool({
      ...reading,
      name: "prevalence",
      description:
        "Counts how common a value is: its events, and the hosts and users of the newest ones. A rare value deserves more attention.",
      input: PrevalenceInput,
      output: PrevalenceOutput,
      async run({ caller, signal }, { field, value, ...window }) {
        const query = formatTerm(field, value);
        const { logs: found, ...total } = await logs.newest(toScope(caller), { query, ...window }, MAX_SAMPLE, signal);
        const [hosts, users] = [countNames(found, "host"), countNames(found, "user")];
        return {
          ...{ ...COMPLETED, ...total, sampled: found.length },
          hosts: hosts.slice(0, MAX_NAMES),
          users: users.slice(0, MAX_NAMES),
          host_count: hosts.length,
          user_count: users.length,
          newest_at: found.at(0)?.timestamp ?? null,
          oldest_at: found.at(-1)?.timestamp ?? null,
        };
      },
    }),
  ];
}

function buildEntityQuery(kind: "host" | "user" | "address", value: string): string {
  if (kind !== "address") return formatTerm(kind, value);
  if (isIP(value) === 0) throw invalidField("value", "must be an IP address");
  return `${formatTerm("src_ip", value)} OR ${formatTerm("dst_ip", value)}`;
}

function countNames(logs: readonly LogEvent[], field: "host" | "user"): { name: string; events: number }[] {
  const counts = new Map<string, number>();
  for (const { [field]: name } of logs) if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, events]) => ({ name, events })).toSorted((a, b) => b.events - a.events);
}
