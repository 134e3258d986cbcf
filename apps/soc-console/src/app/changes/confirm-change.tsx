import { type ReactNode, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { changesPhrases } from "./changes-phrases.ts";

export interface ConfirmChangeProps {
  title: string;
  /** The consequences of the change. */
  children: ReactNode;
  /** The label of the button: a verb. */
  label: string;
  isDanger?: boolean | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation before a change that no key can undo. */
export function ConfirmChange({ title, children, label, isDanger = true, onConfirm, onClose }: ConfirmChangeProps) {
  const words = usePhrases(changesPhrases);
  const [isBusy, setIsBusy] = useState(false);
  const confirm = () => {
    setIsBusy(true);
    void onConfirm().finally(() => setIsBusy(false));
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width="s"
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={isDanger ? "danger" : "primary"} isBusy={isBusy} onClick={confirm}>
            {label}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
