import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { type AgentNow, NOW_SIGNS } from "./agent-now.ts";
import type { Agent } from "./agents-client.ts";

export function AgentNowSign({ now, label }: { now: AgentNow; label: string }) {
  const { shape, tone } = NOW_SIGNS[now];
  return (
    <span className="agents-now">
      <StatusDot shape={shape} tone={tone} />
      {label}
    </span>
  );
}

interface AgentCellsWords {
  task: string;
  now: AgentNow;
  nowLabel: string;
  sites: string;
  lastActive: string;
}

/** The cells of a list: name and task, now, instances, sites, runs, last active. */
export const AgentCells = (agent: Agent, { task, now, nowLabel, sites, lastActive }: AgentCellsWords) => (
  <>
    <span className="list-title">
      <bdi dir="ltr" className="list-strong">
        {agent.name}
      </bdi>{" "}
      <span className="soft">{task}</span>
    </span>
    <AgentNowSign now={now} label={nowLabel} />
    <span>{agent.instances}</span>
    <span className="list-title soft">
      <SafeText>{sites}</SafeText>
    </span>
    <span>{agent.runs_24h}</span>
    <span className="list-mono">{lastActive}</span>
  </>
);
