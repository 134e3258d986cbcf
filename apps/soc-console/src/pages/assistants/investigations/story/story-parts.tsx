import { Link } from "../../../../app/address/link.tsx";
import { now } from "../../../../app/browser/clock.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Meter } from "../../../../design/charts/meter.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import type { InvestigationDetail, Step } from "../investigations-client.ts";
import { investigationsPhrases } from "../investigations-phrases.ts";
import { InvestigationStatus, VerdictSign } from "../verdict-sign.tsx";
import { listCalls, MAX_RUN_MS, measureRun } from "./steps.ts";
import { storyPhrases } from "./story-phrases.ts";

interface RunLineProps {
  record: InvestigationDetail;
  /** Undefined without the permission to read steps: then count the calls of the agents. */
  steps: readonly Step[] | undefined;
}

/** Verdict, state and resource use so far. */
export function RunLine({ record, steps }: RunLineProps) {
  const words = { ...usePhrases(investigationsPhrases), ...usePhrases(storyPhrases) };
  const time = useTime();
  const { count, percent } = useNumbers();
  const ranMs = measureRun(record, now());
  const calls =
    steps && steps.length > 0 ? listCalls(steps).length : record.agents.flatMap((part) => part.calls).length;
  const share = fill(words.budget, { share: percent(Math.min(1, ranMs / MAX_RUN_MS)) });
  return (
    <div className="story-run">
      <VerdictSign record={record} />
      <InvestigationStatus status={record.status} />
      <span className="story-run-severity">
        <SeveritySign severity={record.severity} label="" />
        {words.severities[record.severity]}
      </span>
      <span className="soft">
        {words.requestedBy} <SafeText>{record.requested_by}</SafeText>,{" "}
        <span className="mono">{time.dateTime(record.created_at)}</span>
      </span>
      {record.mitre_techniques.length > 0 && (
        <SafeText isMono>{record.mitre_techniques.slice(0, 12).join(" ")}</SafeText>
      )}
      <span className="story-run-budget">
        <span>
          {count(calls, words.calls)} · {time.duration(ranMs)} · {share}
        </span>
        <Meter
          label={share}
          parts={[{ key: "ran", value: Math.min(ranMs, MAX_RUN_MS), fill: "var(--running)" }]}
          total={MAX_RUN_MS}
        />
      </span>
    </div>
  );
}

const LEFT_OUT = ["parked", "disabled", "busy", "elsewhere"];

/** The participating agents with their number of calls, and the skipped agents with the reason. */
export function AgentsPanel({ record }: { record: InvestigationDetail }) {
  const words = usePhrases(storyPhrases);
  const { count } = useNumbers();
  if (record.agents.length === 0) return null;
  return (
    <Panel title={words.agents} aside={record.agents.length}>
      <ul className="story-agents">
        {record.agents.map(({ agent_id, name, status, calls }) => (
          <li key={agent_id}>
            <Link to="/agents" search={{ pane: agent_id }}>
              <bdi dir="ltr">{name}</bdi>
            </Link>
            {status === "failed" ? (
              <Badge tone="failed">{words.partStatuses[status]}</Badge>
            ) : (
              <span className={LEFT_OUT.includes(status) ? "story-left-out" : "soft"}>
                {words.partStatuses[status]}
              </span>
            )}
            {calls.length > 0 && (
              <span className="soft">
                {count(calls.length, words.calls)}: <bdi dir="ltr">{listTools(calls)}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function listTools(calls: InvestigationDetail["agents"][number]["calls"]): string {
  return [
    ...new Set(calls.map(({ tool, error_code }) => (error_code === null ? tool : `${tool} (${error_code})`))),
  ].join(", ");
}
