import { type ReactNode, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { changesPhrases } from "./changes-phrases.ts";

export interface ConfirmChangeProps {
  title: string;
  /** What follows from it. */
  children: ReactNode;
  /** The verb on the button. */
  label: string;
  isDanger?: boolean | undefined;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before a change that cannot be taken back by a key. */
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
      isOpen
      onClose={onClose}
      width="s"
      closeLabel={words.close}
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
