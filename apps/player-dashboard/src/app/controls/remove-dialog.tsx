import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/layout.tsx";
import { useApp } from "../app.ts";

export interface RemoveDialogProps {
  title: string;
  question: string;
  /** Labels of the two buttons. */
  yes: string;
  keep: string;
  /** Shown after the removal. */
  removed: string;
  remove: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before it removes the owner's data. */
export function RemoveDialog({ title, question, yes, keep, removed, remove, onClose }: RemoveDialogProps) {
  const { commands, notices } = useApp();
  const run = async () => {
    if (await commands.run(remove)) notices.show("done", removed);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{question}</p>
        <div class="actions">
          <Button kind="danger" icon="bin" needsToken onClick={() => void run()}>
            {yes}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {keep}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
