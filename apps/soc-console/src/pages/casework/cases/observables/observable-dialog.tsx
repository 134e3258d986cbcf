import { type SubmitEvent, useId, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { refang } from "../../../../app/text/defang.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { TextField } from "../../../../design/field.tsx";
import { type Observable, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { guessType, OBSERVABLE_TYPES } from "./observable-kind.ts";
import { observablesPhrases } from "./observables-phrases.ts";

export interface ObservableDialogProps {
  caseId: string;
  /** The observable to edit; undefined for a new one. */
  observable: Observable | undefined;
  onClose: () => void;
  onSaved: () => void;
}

/** Defanged values are stored refanged. */
export function ObservableDialog({ caseId, observable, onClose, onSaved }: ObservableDialogProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(observablesPhrases) };
  const client = useCasesClient();
  const { send } = useChanges();
  const form = useId();
  const [value, setValue] = useState(observable?.value ?? "");
  const [chosen, setType] = useState(observable?.type);
  const [tags, setTags] = useState(observable?.tags.join(", ") ?? "");
  const [isBusy, setIsBusy] = useState(false);
  const meant = refang(value.trim());
  const type = chosen ?? (meant === "" ? "" : guessType(meant));
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (meant === "" || type.trim() === "") return;
    const list = [...new Set(tags.split(",").map((tag) => tag.trim()))].filter(Boolean);
    const request = { type: type.trim(), value: meant, tags: list };
    setIsBusy(true);
    const saved = await send(
      () =>
        observable ? client.editObservable(caseId, observable.id, request) : client.addObservable(caseId, request),
      { before: observable },
    ).finally(() => setIsBusy(false));
    if (!saved) return;
    onSaved();
    onClose();
  };
  return (
    <Dialog
      title={observable ? words.editTitle : words.addTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {words.save}
          </Button>
        </>
      }
    >
      <form id={form} className="cases-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.value}
          required
          maxLength={2048}
          dir="ltr"
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <div className="cases-form-pair">
          <TextField
            label={words.type}
            required
            maxLength={50}
            list={`${form}-types`}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
          />
          <TextField label={words.tags} value={tags} onChange={(event) => setTags(event.currentTarget.value)} />
        </div>
        <datalist id={`${form}-types`}>
          {OBSERVABLE_TYPES.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
    </Dialog>
  );
}
