import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { SelectField } from "../../design/field.tsx";
import { Notice, Skeleton } from "../../design/states.tsx";
import { Link } from "../address/link.tsx";
import { useApp } from "../context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../language/language-context.tsx";
import { useMode } from "../mode/use-mode.ts";
import { FailedPart } from "../page/page.tsx";
import { ApiError } from "../server/api-error.ts";
import { safeText } from "../text/safe-text.ts";
import { SafeText } from "../text/safe-text-view.tsx";
import { InputFields } from "./input-fields.tsx";
import {
  executePlaybook,
  isPreview,
  listEnabled,
  type Playbook,
  type PlaybookInput,
  playbookKeys,
  type RunPreview,
  type StartedExecution,
} from "./playbooks-client.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import { listLeaving } from "./step-lines.ts";
import { useActionsReading } from "./use-actions.ts";
import { type InputsForm, useInputs } from "./use-inputs.ts";
import "./playbooks.css";

export interface RunDialogProps {
  /** Without it, the user chooses among the enabled playbooks. */
  playbook?: Playbook | undefined;
  caseId?: string | undefined;
  alertId?: string | undefined;
  onClose: () => void;
  onBegun: () => void;
}

const NO_INPUTS: readonly PlaybookInput[] = [];

type Form = InputsForm<PlaybookInput>;

/** Requests the preview, then the run. */
function useRun(playbook: Playbook | undefined, form: Form, { caseId, alertId }: RunDialogProps) {
  const { server } = useApp();
  const [preview, setPreview] = useState<RunPreview>();
  const [begun, setBegun] = useState<StartedExecution>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const hasSubject = alertId !== undefined || caseId !== undefined;
  // An approver sets the missing inputs of a critical playbook.
  const needsValue = ({ required, from }: PlaybookInput) =>
    required && playbook?.critical === false && (from === null || !hasSubject);
  const ask = async (isLook: boolean) => {
    if (!playbook || isBusy) return;
    setError(undefined);
    const parameters = form.read(needsValue);
    if (!parameters) return;
    setIsBusy(true);
    try {
      const answer = await executePlaybook(server, playbook.id, {
        parameters,
        case_id: caseId,
        alert_id: alertId,
        ...(isLook && { dry_run: true }),
      });
      if (isPreview(answer)) setPreview(answer.preview);
      else setBegun(answer);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (!form.refuse(failure)) setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { ask, preview, begun, error, isBusy, forget: () => setPreview(undefined) };
}

/**
 * Runs a playbook: inputs, preview with everything that would leave the platform, then the run or the approval request.
 */
export function RunDialog(props: RunDialogProps) {
  const words = usePhrases(playbooksPhrases);
  const mode = useMode();
  const [chosen, setChosen] = useState(props.playbook);
  const playbook = props.playbook ?? chosen;
  const form = useInputs(playbook?.inputs ?? NO_INPUTS);
  const run = useRun(playbook, form, props);
  const close = () => {
    if (run.begun) props.onBegun();
    props.onClose();
  };
  const ask = (isLook: boolean) => ({
    disabled: !playbook,
    isBusy: run.isBusy,
    onClick: () => void run.ask(isLook),
  });
  const verb = playbook?.critical ? words.askApproval : words.runNow;
  return (
    <Dialog
      title={props.playbook ? `${words.run}: ${safeText(props.playbook.name)}` : words.runTitle}
      onClose={close}
      width="l"
      actions={
        run.begun ? (
          <Button kind="primary" onClick={close}>
            {words.close}
          </Button>
        ) : (
          <>
            <Button {...ask(true)}>{words.look}</Button>
            <Button kind="primary" {...ask(false)}>
              {mode === "dry_run" ? words.runPreview : verb}
            </Button>
          </>
        )
      }
    >
      {run.begun ? (
        <Begun begun={run.begun} />
      ) : (
        <div className="run-form">
          {!props.playbook && (
            <Choice
              id={playbook?.id ?? ""}
              onChoose={(each) => {
                setChosen(each);
                form.clear();
                run.forget();
              }}
            />
          )}
          {playbook && <Chosen playbook={playbook} form={form} onType={run.forget} />}
          {run.error && <FailedPart error={run.error} onRetry={() => void run.ask(true)} />}
          {run.preview && playbook && <Effects preview={run.preview} playbook={playbook} />}
        </div>
      )}
    </Dialog>
  );
}

function Choice({ id, onChoose }: { id: string; onChoose: (playbook: Playbook | undefined) => void }) {
  const words = usePhrases(playbooksPhrases);
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: playbookKeys.list("enabled"),
    queryFn: ({ signal }) => listEnabled(server, signal),
  });
  if (error && !data) return <FailedPart error={error} onRetry={() => void refetch()} />;
  if (data?.items.length === 0) return <p className="soft">{words.noPlaybooks}</p>;
  return (
    <SelectField
      label={words.choose}
      value={id}
      onChange={(chosen) => onChoose(data?.items.find((item) => item.id === chosen))}
      options={[
        { value: "", label: words.chooseHint },
        ...(data?.items ?? []).map((item) => ({ value: item.id, label: safeText(item.name) })),
      ]}
    />
  );
}

interface ChosenProps {
  playbook: Playbook;
  form: Form;
  onType: () => void;
}

function Chosen({ playbook, form, onType }: ChosenProps) {
  const words = usePhrases(playbooksPhrases);
  const { critical } = playbook;
  const noteSource = ({ required, from }: PlaybookInput) =>
    [from && fill(words.fromField, { field: isolated(from) }), critical && required && words.approverSets]
      .filter(Boolean)
      .join(" · ");
  return (
    <>
      {playbook.description !== "" && (
        <p className="soft">
          <SafeText>{playbook.description}</SafeText>
        </p>
      )}
      {critical && <Notice tone="waiting">{words.critical}</Notice>}
      {playbook.inputs.length === 0 && <p className="soft">{words.noParameters}</p>}
      <InputFields form={form} isRequired={({ required }) => required && !critical} note={noteSource} onType={onType} />
    </>
  );
}

/** The effect of each step, and every outgoing message, verbatim. */
function Effects({ preview, playbook }: { preview: RunPreview; playbook: Playbook }) {
  const words = usePhrases(playbooksPhrases);
  const numbers = useNumbers();
  const sent = preview.effects.reduce((sum, { sends }) => sum + sends.length, 0);
  return (
    <section className="run-effects" aria-label={words.whatHappens}>
      <h3>{words.whatHappens}</h3>
      <ol>
        {preview.effects.map((effect) => (
          <li key={effect.step_id}>
            <bdi className="mono soft" dir="ltr">
              {effect.step_id}
            </bdi>{" "}
            <SafeText>{effect.summary}</SafeText>
            {effect.sends.map((sending) => (
              <p key={`${sending.method} ${sending.url}`} className="run-sent">
                <span aria-hidden="true">↗</span> {words.leaves}:{" "}
                <SafeText isMono>{`${sending.method} ${sending.url}`}</SafeText>
              </p>
            ))}
          </li>
        ))}
      </ol>
      {sent > 0 && <p className="run-sent">{numbers.count(sent, words.leavesNow)}</p>}
      <OutsideActions playbook={playbook} isQuiet={sent > 0} />
    </section>
  );
}

/** The actions with outside effects, as on the page of the playbook. "Nothing" is said only when they are known. */
function OutsideActions({ playbook, isQuiet }: { playbook: Playbook; isQuiet: boolean }) {
  const words = usePhrases(playbooksPhrases);
  const reading = useActionsReading();
  if (reading.state === "loading") return <Skeleton rows={1} />;
  if (reading.state === "failed") return <FailedPart error={reading.error} onRetry={reading.readAgain} />;
  const leaving = listLeaving(playbook, reading.data);
  if (leaving.length === 0) return isQuiet ? null : <p className="soft">{words.staysInside}</p>;
  return (
    <p className="run-sent">
      <span aria-hidden="true">↗</span> {words.actsOutside} <SafeText isMono>{leaving.join(", ")}</SafeText>
    </p>
  );
}

function Begun({ begun }: { begun: StartedExecution }) {
  const words = usePhrases(playbooksPhrases);
  const name = isolated(safeText(begun.playbook_name));
  if (begun.status === "pending_approval") {
    const names = begun.missing_inputs.map((input) => isolated(safeText(input.name))).join(", ");
    return (
      <Notice
        tone="waiting"
        action={begun.approval_id && <Link to={`/approvals/${begun.approval_id}`}>{words.openApproval}</Link>}
      >
        {words.pending}. {fill(words.pendingText, { name })} {names && fill(words.pendingInputs, { names })}
      </Notice>
    );
  }
  return (
    <Notice tone="ok" action={<Link to={`/runs/${begun.execution_id}`}>{words.openRun}</Link>}>
      {fill(words.begun, { name })}
    </Notice>
  );
}
