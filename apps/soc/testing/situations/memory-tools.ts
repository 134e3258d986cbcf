import { Problem } from "@kit/problem";
import { buildAlert, type NewAlert } from "../../src/alerts/alerts/alert.ts";
import { CATALOG } from "../../src/assistants/agents/catalog.ts";
import type { InvestigatedAlert } from "../../src/assistants/investigations/event-reader.ts";
import type { Finding } from "../../src/assistants/investigations/findings.ts";
import type { AgentPlan, MadeCall, PlannedCall, Subject } from "../../src/assistants/plans/step.ts";
import {
  createToolRegistry,
  type ToolRegistry,
  type ToolRegistryDeps,
} from "../../src/assistants/tools/tool-registry.ts";
import { type Envelope, toFailure } from "../../src/assistants/tools/tools.service.ts";
import { type Ioc, isListed } from "../../src/detection/iocs/ioc.ts";
import { toPredicate } from "../../src/logs/query/predicate.ts";
import { buildLogSelection } from "../../src/logs/search/log-selection.ts";
import type { LogEvent } from "../../src/ports/log-event.ts";
import { createReportTool } from "../../src/reporting/reports/report-tool.ts";

export interface ToolWorld {
  logs: readonly LogEvent[];
  iocs?: readonly Ioc[];
}

const NOW = new Date(Date.UTC(2026, 10, 16));

function unused(): never {
  throw new Problem("unavailable", "a memory has no such record");
}

/** The tools of the platform over logs and indicators in memory; other records do not exist. */
export function createMemoryTools({ logs, iocs = [] }: ToolWorld): ToolRegistry {
  const newest: ToolRegistryDeps["logs"]["newest"] = async (scope, asked, limit) => {
    const { condition, from, to } = buildLogSelection(scope, asked, NOW);
    const isMet = toPredicate(condition);
    const [first, end] = [from.toISOString(), to.toISOString()];
    const found = logs
      .filter((log) => log.timestamp >= first && log.timestamp < end && isMet(log))
      .toSorted((a, b) => (`${a.timestamp} ${a.id}` > `${b.timestamp} ${b.id}` ? -1 : 1));
    return { logs: found.slice(0, limit), total: found.length };
  };
  return createToolRegistry({
    logs: { newest },
    iocs: {
      list: async (filter) => {
        const items = iocs.filter((ioc) => isListed(ioc, filter, NOW));
        return { items, total: items.length, skip: 0, limit: 20, next_cursor: null };
      },
    },
    alerts: { get: unused, list: unused },
    cases: { get: unused, list: unused, open: unused, update: unused, keep: unused },
    devices: { getNamed: unused },
    items: { addComment: unused },
    reportTool: createReportTool({ reports: { draft: unused, keep: unused }, cases: { get: unused } }),
    executions: { plan: unused, execute: unused },
    gate: { requestFor: unused, endWait: unused },
    approvals: { get: unused },
    clock: { sleep: unused },
    closing: AbortSignal.abort(),
  });
}

export async function makeCall(tools: ToolRegistry, call: PlannedCall): Promise<MadeCall> {
  const tool = tools.get(call.tool);
  if (!tool) throw new Error(`there is no tool ${call.tool}`);
  const caller = { kind: "api_key", username: "test", role: "agent" } as const;
  try {
    const answer = await tool.run({ caller, signal: AbortSignal.timeout(60_000), change: unused }, call.input);
    return { ...call, answer: { ...answer, error_code: null, error: null } satisfies Envelope };
  } catch (error) {
    return { ...call, answer: toFailure(error) };
  }
}

export async function runPlan<About extends Subject>(
  plan: AgentPlan<About>,
  subject: About,
  tools: ToolRegistry,
): Promise<{ made: MadeCall[]; findings: Finding[] }> {
  const made: MadeCall[] = [];
  for (const call of plan.calls(subject)) made.push(await makeCall(tools, call));
  return { made, findings: plan.conclude(subject, made) };
}

const ALERT_ID = "018f0000-0000-7000-8000-000000000001";

export function buildSubject(events: readonly LogEvent[], given: Partial<NewAlert> = {}): Subject {
  const [first] = events;
  const named = { ...(first?.host && { host: first.host }), ...(first?.user && { user: first.user }) };
  const log_ids = events.map(({ id }) => id);
  const report = { title: "An alert", source: first?.source ?? "test", log_ids, ...named, ...given };
  return { alert: buildAlert(report, ALERT_ID, NOW), events, has_cps_assets: false };
}

/** The subject of an alert of a situation or a sample. */
export function toSubject(alert: InvestigatedAlert, logs: readonly LogEvent[]): Subject {
  const own = new Set(alert.log_ids);
  const events = logs.filter(({ id }) => own.has(id)).toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  const { title, severity, mitre_techniques } = alert;
  return buildSubject(events, { title, severity, mitre_techniques: [...mitre_techniques] });
}

export function listPermissions(agent: string): readonly string[] {
  return CATALOG.find(({ id }) => id === agent)?.permissions ?? [];
}
