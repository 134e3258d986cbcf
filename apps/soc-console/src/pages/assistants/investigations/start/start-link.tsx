import { useState } from "react";
import { useChanges, withChanges } from "../../../../app/changes/use-changes.tsx";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { startPhrases } from "../start-phrases.ts";
import { StartDialog } from "./start-dialog.tsx";

/** The button that starts an investigation of an alert or a question. Hidden from users who may not. */
export const StartInvestigation = withChanges("investigation:trigger", StartButton);

function StartButton() {
  const words = usePhrases(startPhrases);
  const { mayWrite, reason } = useChanges();
  const [isOpen, setIsOpen] = useState(false);
  const start = {
    id: "investigations.start",
    label: words.start,
    group: words.group,
    keys: ["n"],
    isEnabled: reason === undefined,
    reason,
    run: () => setIsOpen(true),
  };
  useCommands(mayWrite ? [start] : []);
  if (!mayWrite) return null;
  return (
    <>
      <Button
        kind="primary"
        {...commandKeys(start)}
        aria-disabled={reason !== undefined}
        title={reason}
        onClick={() => reason === undefined && setIsOpen(true)}
      >
        {words.start}
      </Button>
      <StartDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
