import { useState } from "react";
import { ChangesProvider, useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { createInvestigationsClient, type InvestigationDetail } from "../investigations-client.ts";
import { storyPhrases } from "./story-phrases.ts";

interface StopButtonProps {
  record: InvestigationDetail;
  onStopped: () => void;
}

/** Stops a queued or running investigation. */
export function StopButton(props: StopButtonProps) {
  return (
    <ChangesProvider needs="investigation:trigger">
      <Stopper {...props} />
    </ChangesProvider>
  );
}

function Stopper({ record, onStopped }: StopButtonProps) {
  const words = usePhrases(storyPhrases);
  const { server } = useApp();
  const mode = useMode();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  const run = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const stopped = await send(() => createInvestigationsClient(server).cancel(record.investigation_id), {
      before: record,
    }).finally(() => setIsBusy(false));
    // Refresh after a refusal as well: another user may have stopped it, or it has ended.
    onStopped();
    if (stopped) notify({ tone: "ok", text: words.stopped });
  };
  const stop = {
    id: "investigation.stop",
    label: words.stop,
    group: words.title,
    keys: ["⇧S"],
    isInStatusLine: true,
    isEnabled: reason === undefined,
    reason,
    run,
  };
  useCommands(mayWrite ? [stop] : []);
  if (!mayWrite) return null;
  return (
    <CommandButton kind="danger" command={stop} isBusy={isBusy}>
      {mode === "dry_run" ? words.previewStop : words.stop}
    </CommandButton>
  );
}
