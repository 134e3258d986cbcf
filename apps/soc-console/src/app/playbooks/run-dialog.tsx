import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { SelectField, TextField } from "../../design/field.tsx";
import { Notice } from "../../design/states.tsx";
import { Link } from "../address/link.tsx";
import { useApp } from "../app-context.ts";
import { useNumbers, usePhrases } from "../language/language-context.tsx";
import { fill, isolated } from "../language/phrases.ts";
import { useMode } from "../mode/use-mode.ts";
import { FailedPart } from "../page/failed-part.tsx";
import { ApiError } from "../server/api-error.ts";
import { safeText } from "../text/safe-text.ts";
import { SafeText } from "../text/safe-text-view.tsx";
import { parseInputs } from "./parse-input.ts";
import {
  type Executed,
  executePlaybook,
  listEnabled,
  type Playbook,
  playbookKeys,
  type RunPreview,
  type Started,
} from "./playbooks-client.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import "./playbooks.css";

export interface RunDialogProps {
  /** Without it the user chooses among the enabled ones. */
  playbook?: Playbook | undefined;
  caseId?: string | undefined;
  alertId?: string | undefined;
  onClose: () => void;
  onBegun: () => void;
}

type Texts = Readonly<Record<string, string>>;

function isPreviewed(answer: Executed): answer is Extract<Executed, { preview: unknown }> {
  return "preview" in answer;
}

/** Asks the service: first what would happen, then for the run itself. */
function useRun(playbook: Playbook | undefined, texts: Texts, { caseId, alertId }: RunDialogProps) {
  const { server } = useApp();
  const [preview, setPreview] = useState<RunPreview>();
  const [begun, setBegun] = useState<Started>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (isLook: boolean) => {
    if (!playbook || isBusy) return;
    setIsBusy(true);
    setError(undefined);
    try {
      const answer = await executePlaybook(server, playbook.id, {
        parameters: parseInputs(playbook.inputs, texts),
        case_id: caseId,
        alert_id: alertId,
        ...(isLook && { dry_run: true }),
      });
      if (isPreviewed(answer)) setPreview(answer.preview);
      else setBegun(answer);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setIsBusy(false);
    }
  };
  return { ask, preview, begun, error, isBusy, forget: () => setPreview(undefined) };
}

/** Runs a playbook: with which values, what would happen and leave, then the run or the request for an approval. */
export function RunDialog(props: RunDialogProps) {
  const words = usePhrases(playbooksPhrases);
  const mode = useMode();
  const [chosen, setChosen] = useState(props.playbook);
  const [texts, setTexts] = useState<Texts>({});
  const playbook = props.playbook ?? chosen;
  const run = useRun(playbook, texts, props);
  const hasSubject = props.alertId !== undefined || props.caseId !== undefined;
  const isMissing = playbook?.inputs.some(
    ({ name, required, from }) => required && (from === null || !hasSubject) && (texts[name] ?? "").trim() === "",
  );
  const close = () => {
    if (run.begun) props.onBegun();
    props.onClose();
  };
  const ask = (isLook: boolean) => ({
    disabled: !playbook || isMissing === true,
    isBusy: run.isBusy,
    onClick: () => void run.ask(isLook),
  });
  const verb = playbook?.critical ? words.askApproval : words.runNow;
  return (
    <Dialog
      title={props.playbook ? `${words.run}: ${safeText(props.playbook.name)}` : words.runTitle}
      isOpen
      onClose={close}
      closeLabel={words.close}
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
                setTexts({});
                run.forget();
              }}
            />
          )}
          {playbook && (
            <Chosen
              playbook={playbook}
              texts={texts}
              onText={(name, text) => {
                setTexts({ ...texts, [name]: text });
                run.forget();
              }}
            />
          )}
          {run.error && <FailedPart error={run.error} onRetry={() => void run.ask(true)} />}
          {run.preview && <Effects preview={run.preview} />}
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
  texts: Texts;
  onText: (name: string, text: string) => void;
}

function Chosen({ playbook, texts, onText }: ChosenProps) {
  const words = usePhrases(playbooksPhrases);
  return (
    <>
      {playbook.description !== "" && (
        <p className="soft">
          <SafeText>{playbook.description}</SafeText>
        </p>
      )}
      {playbook.critical && <Notice tone="waiting">{words.critical}</Notice>}
      {playbook.inputs.length === 0 && <p className="soft">{words.noParameters}</p>}
      {playbook.inputs.map(({ name, type, required, from, description }) => (
        <TextField
          key={name}
          label={name}
          dir="ltr"
          type={type === "number" ? "number" : "text"}
          placeholder={type === "boolean" ? words.booleanHint : undefined}
          required={required && from === null}
          hint={[
            safeText(description),
            required && words.required,
            from && fill(words.fromField, { field: isolated(from) }),
          ]
            .filter(Boolean)
            .join(" · ")}
          value={texts[name] ?? ""}
          onChange={(event) => onText(name, event.currentTarget.value)}
        />
      ))}
    </>
  );
}

/** What each step would do, and every message that would leave, word for word. */
function Effects({ preview }: { preview: RunPreview }) {
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
      <p className={sent === 0 ? "soft" : "run-sent"}>
        {sent === 0 ? words.staysInside : numbers.count(sent, words.leavesNow)}
      </p>
    </section>
  );
}

function Begun({ begun }: { begun: Started }) {
  const words = usePhrases(playbooksPhrases);
  const name = isolated(safeText(begun.playbook_name));
  if (begun.status === "pending_approval") {
    return (
      <Notice
        tone="waiting"
        action={begun.approval_id && <Link to={`/approvals/${begun.approval_id}`}>{words.openApproval}</Link>}
      >
        {words.pending}. {fill(words.pendingText, { name })}
      </Notice>
    );
  }
  return (
    <Notice tone="ok" action={<Link to={`/runs/${begun.execution_id}`}>{words.openRun}</Link>}>
      {fill(words.begun, { name })}
    </Notice>
  );
}
