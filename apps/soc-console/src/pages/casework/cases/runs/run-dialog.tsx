import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp } from "../../../../app/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { fill, isolated } from "../../../../app/language/phrases.ts";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { FailedPart } from "../../../../app/page/failed-part.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField, TextField } from "../../../../design/field.tsx";
import { Notice } from "../../../../design/states.tsx";
import { casesPhrases } from "../cases-phrases.ts";
import {
  createRunsClient,
  type Executed,
  type Playbook,
  parseInput,
  type RunPreview,
  type Started,
} from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";

export interface RunDialogProps {
  caseId: string;
  onClose: () => void;
  onBegun: () => void;
}

function isPreviewed(answer: Executed): answer is Extract<Executed, { preview: unknown }> {
  return "preview" in answer;
}

/** Asks the service: first what would happen, then for the run itself. */
function useRun(caseId: string, playbook: Playbook | undefined, texts: Readonly<Record<string, string>>) {
  const { server } = useApp();
  const client = useMemo(() => createRunsClient(server), [server]);
  const [preview, setPreview] = useState<RunPreview>();
  const [begun, setBegun] = useState<Started>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const ask = async (isLook: boolean) => {
    if (!playbook || isBusy) return;
    setIsBusy(true);
    setError(undefined);
    const values = playbook.inputs.map((input): [string, unknown] => [
      input.name,
      parseInput(input, texts[input.name] ?? ""),
    ]);
    const parameters: Record<string, unknown> = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    try {
      const answer = await client.execute(playbook.id, {
        case_id: caseId,
        parameters,
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

export function RunDialog({ caseId, onClose, onBegun }: RunDialogProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(runsPhrases) };
  const { server } = useApp();
  const mode = useMode();
  const [id, setId] = useState("");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const { data, error, refetch } = useQuery({
    queryKey: ["playbooks", "list", "enabled"],
    queryFn: ({ signal }) => createRunsClient(server).playbooks(signal),
  });
  const playbook = data?.items.find((item) => item.id === id);
  const run = useRun(caseId, playbook, texts);
  const isMissing = playbook?.inputs.some(
    ({ name, required, from }) => required && from === null && (texts[name] ?? "").trim() === "",
  );
  const close = () => {
    if (run.begun) onBegun();
    onClose();
  };
  const verb = playbook?.critical ? words.askApproval : words.runNow;
  return (
    <Dialog
      title={words.runTitle}
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
            <Button disabled={!playbook || isMissing === true} isBusy={run.isBusy} onClick={() => void run.ask(true)}>
              {words.look}
            </Button>
            <Button
              kind="primary"
              disabled={!playbook || isMissing === true}
              isBusy={run.isBusy}
              onClick={() => void run.ask(false)}
            >
              {mode === "dry_run" ? words.runPreview : verb}
            </Button>
          </>
        )
      }
    >
      {error && !data && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="soft">{words.noPlaybooks}</p>}
      {run.begun ? (
        <Begun begun={run.begun} />
      ) : (
        <div className="cases-form">
          <SelectField
            label={words.choose}
            value={id}
            onChange={(chosen) => {
              setId(chosen);
              setTexts({});
              run.forget();
            }}
            options={[
              { value: "", label: words.chooseHint },
              ...(data?.items ?? []).map((item) => ({ value: item.id, label: safeText(item.name) })),
            ]}
          />
          {playbook && (
            <Chosen playbook={playbook} texts={texts} onText={(name, text) => setTexts({ ...texts, [name]: text })} />
          )}
          {run.error && <FailedPart error={run.error} onRetry={() => void run.ask(true)} />}
          {run.preview && <Effects preview={run.preview} />}
        </div>
      )}
    </Dialog>
  );
}

interface ChosenProps {
  playbook: Playbook;
  texts: Readonly<Record<string, string>>;
  onText: (name: string, text: string) => void;
}

function Chosen({ playbook, texts, onText }: ChosenProps) {
  const words = usePhrases(runsPhrases);
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
          placeholder={type === "boolean" ? "true / false" : undefined}
          required={required && from === null}
          hint={[description, required && words.required, from && fill(words.fromCase, { field: isolated(from) })]
            .filter(Boolean)
            .join(" · ")}
          value={texts[name] ?? ""}
          onChange={(event) => onText(name, event.currentTarget.value)}
        />
      ))}
    </>
  );
}

function Effects({ preview }: { preview: RunPreview }) {
  const words = usePhrases(runsPhrases);
  const isInside = preview.effects.every(({ sends }) => sends.length === 0);
  return (
    <section className="cases-card-dashed" aria-label={words.whatHappens}>
      <h3>{words.whatHappens}</h3>
      <ol className="case-effects">
        {preview.effects.map((effect) => (
          <li key={effect.step_id}>
            <bdi className="mono soft" dir="ltr">
              {effect.step_id}
            </bdi>{" "}
            <SafeText>{effect.summary}</SafeText>
            {effect.sends.map((sent) => (
              <p key={`${sent.method} ${sent.url}`} className="case-leaves">
                <span aria-hidden="true">↗</span> {words.leaves}:{" "}
                <SafeText isMono>{`${sent.method} ${sent.url}`}</SafeText>
              </p>
            ))}
          </li>
        ))}
      </ol>
      {isInside && <p className="soft">{words.staysInside}</p>}
    </section>
  );
}

function Begun({ begun }: { begun: Started }) {
  const words = usePhrases(runsPhrases);
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
