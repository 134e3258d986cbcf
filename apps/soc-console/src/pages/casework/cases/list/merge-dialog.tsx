import { useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField } from "../../../../design/field.tsx";
import { caseName } from "../case-link.tsx";
import { type Case, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";

export interface MergeDialogProps {
  ids: readonly string[];
  find: (id: string) => Case | undefined;
  isOpen: boolean;
  onClose: () => void;
  onMerged: () => void;
}

/** Asks which of the selected cases remains, and moves the records of the others into it. */
export function MergeDialog({ ids, find, isOpen, onClose, onMerged }: MergeDialogProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const client = useCasesClient();
  const { send } = useChanges();
  const { notify } = useNotices();
  const [wanted, setWanted] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const kept = wanted !== undefined && ids.includes(wanted) ? wanted : (ids[0] ?? "");
  const merge = async () => {
    setIsBusy(true);
    const from = ids.filter((id) => id !== kept);
    const merged = await send(() => client.merge(kept, from)).finally(() => setIsBusy(false));
    onClose();
    if (!merged) return;
    const { alerts, evidence, observables } = merged.moved;
    notify({ tone: "ok", text: fill(words.merged, { alerts, evidence, observables }) });
    onMerged();
  };
  return (
    <Dialog
      title={words.mergeTitle}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => void merge()}>
            {words.merge}
          </Button>
        </>
      }
    >
      <p className="cases-text">{words.mergeText}</p>
      <SelectField
        label={words.mergeInto}
        value={kept}
        onChange={setWanted}
        options={ids.map((id) => ({ value: id, label: `${caseName(id)} ${safeText(find(id)?.title ?? "")}` }))}
      />
    </Dialog>
  );
}
