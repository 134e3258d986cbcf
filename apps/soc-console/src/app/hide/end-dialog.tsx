import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";

export interface EndDialogProps {
  title: string;
  text: string;
  confirm: string;
  cancel: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before a suppression or exception expires early. */
export function EndDialog({ title, text, confirm, cancel, onConfirm, onClose }: EndDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel={null}
      width="s"
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
