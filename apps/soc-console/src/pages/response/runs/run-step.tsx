import { Link } from "../../../app/address/link.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import type { RunDetail, RunStep as RunStepBody } from "../../../app/playbooks/playbooks-client.ts";
import { playbooksPhrases } from "../../../app/playbooks/playbooks-phrases.ts";
import { StepSign } from "../../../app/playbooks/run-sign.tsx";
import type { StepLine } from "../../../app/playbooks/step-lines.ts";
import { Leaving } from "../../../app/playbooks/step-rail.tsx";
import { StepValue } from "../../../app/playbooks/step-value.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Notice } from "../../../design/states.tsx";
import { runsPhrases } from "./runs-phrases.ts";
import { isOver, useStepInput } from "./use-run.ts";

/** One step of a run: input, result, error, and number of attempts. */
export function RunStep({ run, line }: { run: RunDetail; line: StepLine }) {
  const words = { ...usePhrases(playbooksPhrases), ...usePhrases(runsPhrases) };
  return (
    <section className="step-detail" aria-label={`${words.step} ${line.number}`}>
      <h2>
        {line.number} <SafeText>{line.name}</SafeText>
      </h2>
      <p className="runs-line">
        <SafeText isMono>{line.action}</SafeText> {line.isLeaving && <Leaving />}
        <StepSign status={line.run?.status} otherwise={isOver(run.status) ? words.notReached : words.notBegun} />
      </p>
      {line.when !== null && (
        <p className="soft">
          {words.when} <SafeText isMono>{line.when}</SafeText>
        </p>
      )}
      {line.run?.status === "skipped" && <p>{words.skippedText}</p>}
      {line.run && line.run.status !== "skipped" && <Tried step={line.run} maxAttempts={line.maxAttempts} />}
      <Input run={run} template={line.step?.params} isBegun={line.run !== undefined} />
      {line.run && <Outcome step={line.run} />}
      {(line.undoRun || line.step?.compensate) && <Undo run={run} line={line} />}
    </section>
  );
}

function Tried({ step, maxAttempts }: { step: RunStepBody; maxAttempts: number }) {
  const words = usePhrases(runsPhrases);
  const time = useTime();
  return (
    <p className="soft">
      {fill(words.attempt, { attempt: step.attempt, max: Math.max(step.attempt, maxAttempts) })} ·{" "}
      {fill(words.began, { time: time.time(step.started_at) })}
    </p>
  );
}

function Input({ run, template, isBegun }: { run: RunDetail; template: object | undefined; isBegun: boolean }) {
  const words = usePhrases(runsPhrases);
  const { input, isOfNow } = useStepInput(run, template);
  if (!template) return null;
  const isEmpty = Object.keys(template).length === 0;
  return (
    <div>
      <h3>{words.input}</h3>
      {isEmpty ? <p className="soft">{words.noInput}</p> : <StepValue value={isBegun ? input : template} />}
      {!isEmpty && !isBegun && <p className="soft">{words.inputBefore}</p>}
      {!isEmpty && isBegun && isOfNow && <p className="soft">{words.inputNow}</p>}
    </div>
  );
}

function Outcome({ step }: { step: RunStepBody }) {
  const words = usePhrases(runsPhrases);
  const { approval_id, error, result, status } = step;
  const caseId = result?.case_id;
  return (
    <>
      {approval_id !== null && (
        <Notice
          tone={status === "waiting" ? "waiting" : "plain"}
          action={<Link to={`/approvals/${approval_id}`}>{words.openApproval}</Link>}
        >
          {status === "waiting" ? words.stepWaits : words.stepWaited}
        </Notice>
      )}
      {error !== null && (
        <div>
          <h3>{words.error}</h3>
          <p className="runs-error">
            <SafeText>{error}</SafeText>
          </p>
        </div>
      )}
      {status === "completed" && (
        <div>
          <h3>{words.result}</h3>
          {result === null ? <p className="soft">{words.noResult}</p> : <StepValue value={result} />}
          {typeof caseId === "string" && <Link to={`/cases/${caseId}`}>{words.openCase}</Link>}
        </div>
      )}
    </>
  );
}

function Undo({ run, line }: { run: RunDetail; line: StepLine }) {
  const words = { ...usePhrases(playbooksPhrases), ...usePhrases(runsPhrases) };
  const { undoRun, step, undo = "" } = line;
  return (
    <section className="runs-undo" aria-label={words.undoPart}>
      <p className="runs-line">
        <span aria-hidden="true">↩</span> {undoRun ? words.undoPart : words.undo} <SafeText isMono>{undo}</SafeText>{" "}
        {line.isUndoLeaving && <Leaving />}
        {undoRun && <StepSign status={undoRun.status} otherwise="" />}
      </p>
      {undoRun && <Tried step={undoRun} maxAttempts={line.maxAttempts} />}
      <Input run={run} template={step?.compensate?.params} isBegun={undoRun !== undefined} />
      {undoRun && <Outcome step={undoRun} />}
    </section>
  );
}
