import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import type { Run, RunDetail } from "../../../app/playbooks/playbooks-client.ts";
import { RunSign } from "../../../app/playbooks/run-sign.tsx";
import { stepDuration } from "../../../app/playbooks/step-lines.ts";
import { StepRail } from "../../../app/playbooks/step-rail.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { type Time, useNow, useTime } from "../../../app/time/time-context.tsx";
import { Facts } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { runKeys } from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";
import { isOver, useRunLines, useRunsClient } from "./use-run.ts";

const begunAt = ({ started_at, finished_at }: Run) => (started_at === null ? undefined : { started_at, finished_at });

/** The cells of a run: playbook, status, waiting for, steps, mode, requester, time, duration. */
export const RunCells = (run: Run, words: { simulated: string; real: string }, time: Time, now: Date) => {
  const took = stepDuration(begunAt(run), now);
  return (
    <>
      <span className="list-title list-strong">
        <SafeText>{run.playbook_name}</SafeText>
      </span>
      <RunSign status={run.status} />
      <span className="list-title">{run.status === "waiting" && <WaitsFor run={run} />}</span>
      <span className="list-mono">
        {run.steps_completed}/{run.steps_total}
      </span>
      <span className="soft">{run.simulated ? words.simulated : words.real}</span>
      <span className="list-title soft">
        <SafeText>{run.requested_by}</SafeText>
      </span>
      <span className="list-mono">{time.dateTime(run.created_at)}</span>
      <span className="list-mono">{took !== undefined && time.duration(took)}</span>
    </>
  );
};

function useRunSteps(id: string) {
  const client = useRunsClient();
  return useQuery({ queryKey: runKeys.one(id), queryFn: ({ signal }) => client.read(id, signal) });
}

/** Loaded only for waiting runs: the list does not contain the reason. */
function WaitsFor({ run }: { run: Run }) {
  const words = usePhrases(runsPhrases);
  const { data } = useRunSteps(run.execution_id);
  const at = data?.steps.findIndex(({ status }) => status === "waiting" || status === "retrying") ?? -1;
  const step = data?.steps[at];
  if (!step) return null;
  const name = isolated(safeText(step.name));
  if (step.approval_id === null) return fill(words.waitsForStep, { number: at + 1, name });
  return (
    <Link to={`/approvals/${step.approval_id}`}>
      {fill(step.part === "step" ? words.waitsForApproval : words.waitsUntilUndone, { name })}
    </Link>
  );
}

/** A run in the pane: first its row, then its steps. */
export function RunPane({ run }: { run: Run }) {
  const words = usePhrases(runsPhrases);
  const time = useTime();
  const { data, error, refetch } = useRunSteps(run.execution_id);
  return (
    <div className="runs-pane">
      <h2>
        <Link to={`/runs/${run.execution_id}`}>
          <SafeText>{run.playbook_name}</SafeText>
        </Link>
      </h2>
      <RunSign status={run.status} />
      <Facts
        items={[
          { label: words.by, value: <SafeText>{run.requested_by}</SafeText> },
          { label: words.started, value: <span className="mono">{time.dateTime(run.created_at)}</span> },
        ]}
      />
      {run.error !== null && (
        <p className="runs-error">
          <SafeText>{run.error}</SafeText>
        </p>
      )}
      {data && <PaneRail run={data} />}
      {!data && (error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={4} />)}
    </div>
  );
}

function PaneRail({ run }: { run: RunDetail }) {
  const now = useNow();
  const { go } = useAddress();
  const { lines } = useRunLines(run);
  return (
    <StepRail
      lines={lines}
      selected={undefined}
      onSelect={() => go(`/runs/${run.execution_id}`)}
      run={{ now, isOver: isOver(run.status) }}
    />
  );
}
