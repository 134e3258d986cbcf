import { Pencil } from "lucide-react";
import { type SubmitEvent, useId, useState } from "react";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { TextArea, TextField } from "../../../../design/field.tsx";
import { casePhrases } from "../case-phrases.ts";
import type { Case } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import type { CaseEdit } from "./use-case-edit.tsx";

/** Edits title and description, based on the version shown when the dialog opened. */
export function EditText({ record, edit }: { record: Case; edit: CaseEdit }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const form = useId();
  const [draft, setDraft] = useState<{ base: Case; title: string; description: string }>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!draft) return;
    const { base, title, description } = draft;
    setDraft(undefined);
    const patch = {
      ...(title.trim() !== base.title && { title: title.trim() }),
      ...(description !== base.description && { description }),
    };
    if (Object.keys(patch).length > 0) await edit.change(base, patch);
  };
  return (
    <>
      <IconButton
        label={words.editTitle}
        icon={<Pencil />}
        size="s"
        onClick={() => setDraft({ base: record, title: record.title, description: record.description })}
      />
      <Dialog
        title={words.editTitle}
        isOpen={draft !== undefined}
        onClose={() => setDraft(undefined)}
        actions={
          <>
            <Button onClick={() => setDraft(undefined)}>{words.cancel}</Button>
            <Button kind="primary" type="submit" form={form}>
              {words.save}
            </Button>
          </>
        }
      >
        {draft && (
          <form id={form} className="cases-form" onSubmit={(event) => void submit(event)}>
            <TextField
              label={words.fields.title}
              required
              maxLength={500}
              value={draft.title}
              onChange={(event) => setDraft({ ...draft, title: event.currentTarget.value })}
            />
            <TextArea
              label={words.fields.description}
              rows={10}
              maxLength={20_000}
              value={draft.description}
              onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
            />
          </form>
        )}
      </Dialog>
    </>
  );
}
