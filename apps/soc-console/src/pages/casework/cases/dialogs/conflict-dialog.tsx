import { showValue } from "../../../../app/changes/show-value.ts";
import { fill, isolated, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import type { Case, CasePage } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { type CasePatch, EDITED_FIELDS, findConflicts } from "../conflict.ts";

export interface ConflictDialogProps {
  conflict: { before: Case; patch: CasePatch; page: CasePage } | undefined;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}

/** Edit conflict: shows who changed what, and lets the user choose whose values win. */
export function ConflictDialog({ conflict, onTakeTheirs, onKeepMine }: ConflictDialogProps) {
  const words = usePhrases(casesPhrases);
  const time = useTime();
  const found = conflict
    ? findConflicts(conflict.before, conflict.page.case, conflict.patch, conflict.page.history)
    : [];
  const wanted = conflict ? EDITED_FIELDS.filter((field) => field in conflict.patch) : [];
  return (
    <Dialog
      title={words.conflictTitle}
      isOpen={conflict !== undefined}
      onClose={onTakeTheirs}
      closeLabel={null}
      actions={
        <>
          <Button onClick={onTakeTheirs}>{words.takeTheirs}</Button>
          <Button kind="primary" onClick={onKeepMine}>
            {words.keepMine}
          </Button>
        </>
      }
    >
      <p className="cases-text">{words.conflictText}</p>
      <ul className="cases-conflicts">
        {found.map(({ field, before, theirs, by, at }) => (
          <li key={field}>
            <strong>{words.fields[field]}</strong>{" "}
            <span className="soft">
              {by && at ? fill(words.conflictBy, { name: isolated(by), time: time.time(at) }) : words.conflictUnknown}
            </span>
            <p>
              {words.was} <SafeText>{before || words.none}</SafeText> · {words.isNow}{" "}
              <SafeText>{theirs || words.none}</SafeText>
            </p>
          </li>
        ))}
        {conflict &&
          wanted.map((field) => (
            <li key={`mine-${field}`}>
              <strong>{words.fields[field]}</strong> · {words.youWanted}{" "}
              <SafeText>{showValue(conflict.patch[field]) || words.none}</SafeText>
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
