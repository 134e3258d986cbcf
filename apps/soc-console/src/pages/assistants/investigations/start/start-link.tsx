import { useState } from "react";
import { withChanges } from "../../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../../app/changes/use-main-command.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { startPhrases } from "../start-phrases.ts";
import { StartDialog } from "./start-dialog.tsx";

/** The button that starts an investigation of an alert or a question. Hidden from users who may not. */
export const StartInvestigation = withChanges("investigation:trigger", StartButton);

function StartButton() {
  const words = usePhrases(startPhrases);
  const [isOpen, setIsOpen] = useState(false);
  const button = useMainCommand({
    id: "investigations.start",
    label: words.start,
    group: words.group,
    run: () => setIsOpen(true),
  });
  return (
    <>
      {button}
      <StartDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}
