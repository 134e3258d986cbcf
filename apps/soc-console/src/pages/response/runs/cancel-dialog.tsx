import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import type { RunDetail } from "../../../app/playbooks/playbooks-client.ts";
import { findWithdrawal, type StepLine } from "../../../app/playbooks/step-lines.ts";
import { Leaving } from "../../../app/playbooks/step-rail.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { runKeys } from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";
import { useRunsClient } from "./use-run.ts";

export interface CancelDialogProps {
  run: RunDetail;
  lines: readonly StepLine[];
  onClose: () => void;
}

/** Cancels a run, after showing what is withdrawn, undone and left in place. */
export function CancelDialog({ run, lines, onClose }: CancelDialogProps) {
  const words = usePhrases(runsPhrases);
  const mode = useMode();
  const numbers = useNumbers();
  const client = useRunsClient();
  const queries = useQueryClient();
  const { notify } = useNotices();
  const { send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  const { notBegun, waiting, undone, stays } = findWithdrawal(lines);
  const cancel = async () => {
    setIsBusy(true);
    const { steps: _, ...before } = run;
    const done = await send(() => client.cancel(run.execution_id), { before });
    setIsBusy(false);
    onClose();
    if (!done) return;
    notify({ tone: "ok", text: words.cancelled });
    await queries.invalidateQueries({ queryKey: runKeys.one(run.execution_id) });
  };
  return (
    <Dialog
      title={words.cancelTitle}
      onClose={onClose}
      closeLabel={null}
      actions={
        <>
          <Button onClick={onClose}>{words.keepRunning}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => void cancel()}>
            {mode === "dry_run" ? words.cancelPreview : words.cancel}
          </Button>
        </>
      }
    >
      <div className="runs-cancel">
        {notBegun.length > 0 && <Steps text={numbers.count(notBegun.length, words.cancelNone)} lines={notBegun} />}
        {waiting?.run?.approval_id && <Steps text={words.cancelApproval} lines={[waiting]} />}
        {undone.length > 0 ? (
          <Steps text={words.cancelUndo} lines={undone} isUndo />
        ) : (
          <p className="soft">{words.cancelNothingUndone}</p>
        )}
        {stays.length > 0 && <Steps text={words.cancelStays} lines={stays} />}
      </div>
    </Dialog>
  );
}

function Steps({ text, lines, isUndo = false }: { text: string; lines: readonly StepLine[]; isUndo?: boolean }) {
  return (
    <div>
      <p>{text}</p>
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            {line.number} <SafeText>{line.name}</SafeText>{" "}
            {isUndo && (
              <>
                <span aria-hidden="true">↩</span> <SafeText isMono>{line.undo ?? ""}</SafeText>{" "}
                {line.isUndoLeaving && <Leaving />}
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
