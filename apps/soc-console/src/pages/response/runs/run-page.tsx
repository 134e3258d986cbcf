import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { ChangesProvider, useChanges } from "../../../app/changes/use-changes.tsx";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import type { RunDetail } from "../../../app/playbooks/playbooks-client.ts";
import { playbooksPhrases } from "../../../app/playbooks/playbooks-phrases.ts";
import { RunSign } from "../../../app/playbooks/run-sign.tsx";
import { type StepLine, stepDuration } from "../../../app/playbooks/step-lines.ts";
import { StepRail, useStepCursor } from "../../../app/playbooks/step-rail.tsx";
import { StepValue } from "../../../app/playbooks/step-value.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useNow, useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Notice, Skeleton } from "../../../design/states.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { RunStep } from "./run-step.tsx";
import { runsPhrases } from "./runs-phrases.ts";
import { isOver, useRun, useRunLines } from "./use-run.ts";
import "./runs.css";

const SHORT_ID = 8;
const STILL_MS = 3_600_000;

export function RunPage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="soar:execute" key={id}>
      <OneRun id={id} />
    </ChangesProvider>
  );
}

function OneRun({ id }: { id: string }) {
  const words = { ...usePhrases(playbooksPhrases), ...usePhrases(runsPhrases) };
  const { go } = useAddress();
  const time = useTime();
  const { data: run, error, refetch, dataUpdatedAt } = useRun(id);
  useCommands([{ id: "run.back", label: words.back, group: words.run, keys: ["u"], run: () => go("/runs") }]);
  const back = (
    <Link to="/runs" className="runs-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
      <bdi dir="ltr">{id.slice(0, SHORT_ID)}</bdi>
    </Link>
  );
  if (!run) {
    return (
      <Page title={words.run} back={back}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />}
      </Page>
    );
  }
  return (
    <Page
      title={safeText(run.playbook_name)}
      back={back}
      isFull
      tabs={
        <>
          <RunSign status={run.status} />
          {run.simulated && <Badge tone="waiting">{words.simulated}</Badge>}
        </>
      }
    >
      {error && <Notice tone="waiting">{fill(words.asOf, { time: time.time(dataUpdatedAt) })}</Notice>}
      <RunBody run={run} />
    </Page>
  );
}

/** The step to show first: waiting or running, else failed, else the last. */
function findFirst(lines: readonly StepLine[]): string | undefined {
  const isOpen = ({ run, undoRun }: StepLine) =>
    [run?.status, undoRun?.status].some((status) => status && ["running", "waiting", "retrying"].includes(status));
  const isBad = ({ run }: StepLine) => run !== undefined && ["failed", "rejected", "timeout"].includes(run.status);
  return (lines.find(isOpen) ?? lines.find(isBad) ?? lines.findLast(({ run }) => run !== undefined) ?? lines[0])?.id;
}

function RunBody({ run }: { run: RunDetail }) {
  const words = usePhrases(runsPhrases);
  const isEnded = isOver(run.status);
  const now = useNow(isEnded ? STILL_MS : undefined);
  const { lines, isVersionLost } = useRunLines(run);
  const { selected, line, choose } = useStepCursor(lines, findFirst(lines), "run");
  return (
    <>
      <RunFacts run={run} lines={lines} now={now} />
      {run.error !== null && (
        <p className="runs-error">
          <SafeText>{run.error}</SafeText>
        </p>
      )}
      {isVersionLost && <p className="soft">{words.versionLost}</p>}
      <div className="runs-body">
        <StepRail lines={lines} selected={selected} onSelect={choose} run={{ now, isOver: isEnded }} />
        <aside className="runs-side">
          {line && <RunStep run={run} line={line} key={line.id} />}
          {Object.keys(run.parameters).length > 0 && (
            <section className="step-detail" aria-label={words.parameters}>
              <div>
                <h3>{words.parameters}</h3>
                <StepValue value={run.parameters} />
              </div>
            </section>
          )}
        </aside>
      </div>
    </>
  );
}

/** Requester, time, version and subject of the run, and the cancel button. */
function RunFacts({ run, lines, now }: { run: RunDetail; lines: readonly StepLine[]; now: Date }) {
  const words = usePhrases(runsPhrases);
  const time = useTime();
  const took = stepDuration(run.started_at === null ? undefined : { ...run, started_at: run.started_at }, now);
  const { alert_id, case_id, approval_id } = run;
  return (
    <div className="runs-facts">
      <Link to={`/playbooks/${run.playbook_id}`}>
        <bdi dir="ltr">{run.playbook_id}</bdi> · {fill(words.version, { version: run.playbook_version })}
      </Link>
      <span>
        {words.by} <SafeText isMono>{run.requested_by}</SafeText>
      </span>
      <span className="mono">{time.dateTime(run.created_at)}</span>
      {took !== undefined && (
        <span>
          {words.took} <span className="mono">{time.duration(took)}</span>
        </span>
      )}
      {case_id !== null && (
        <Link to={`/cases/${case_id}`}>
          {words.case} {case_id.slice(-SHORT_ID)}
        </Link>
      )}
      {alert_id !== null && (
        <Link to={`/alerts/${alert_id}`}>
          {words.alert} {alert_id.slice(-SHORT_ID)}
        </Link>
      )}
      {approval_id !== null && <Link to={`/approvals/${approval_id}`}>{words.approvalOfStart}</Link>}
      <CancelButton run={run} lines={lines} />
    </div>
  );
}

function CancelButton({ run, lines }: { run: RunDetail; lines: readonly StepLine[] }) {
  const words = usePhrases(runsPhrases);
  const { mayWrite, reason } = useChanges();
  const [isAsking, setIsAsking] = useState(false);
  // A run that is being undone cannot be cancelled.
  const canCancel = mayWrite && !isOver(run.status) && run.steps.every(({ part }) => part === "step");
  const command: Command = {
    id: "run.cancel",
    label: words.cancel,
    group: words.run,
    keys: ["⇧C"],
    isEnabled: reason === undefined,
    reason,
    isInStatusLine: true,
    run: () => setIsAsking(true),
  };
  useCommands(canCancel ? [command] : []);
  return (
    <>
      {canCancel && <CommandButton size="s" kind="danger" command={command} />}
      {isAsking && <CancelDialog run={run} lines={lines} onClose={() => setIsAsking(false)} />}
    </>
  );
}
