import { useState } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { defang } from "../../../app/text/defang.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import type { IocDetail } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

export interface RemoveDialogProps {
  ioc: IocDetail;
  onRemove: () => Promise<void>;
  onClose: () => void;
}

/** Asks for confirmation, because the hits are deleted with the indicator. */
export function RemoveDialog({ ioc, onRemove, onClose }: RemoveDialogProps) {
  const words = usePhrases(iocsPhrases);
  const isDry = useMode() === "dry_run";
  const [isBusy, setIsBusy] = useState(false);
  const remove = () => {
    setIsBusy(true);
    void onRemove().finally(() => setIsBusy(false));
  };
  return (
    <Dialog
      title={words.removeTitle}
      onClose={onClose}
      width="s"
      actions={
        <Button kind="danger" isBusy={isBusy} onClick={remove}>
          {isDry ? words.previewRemove : words.remove}
        </Button>
      }
    >
      <p>
        <SafeText isMono>{defang(ioc.value)}</SafeText>
      </p>
      <p className="soft">{words.removeText}</p>
    </Dialog>
  );
}
