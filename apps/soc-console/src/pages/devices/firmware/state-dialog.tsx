import { useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { type Firmware, storeFirmware } from "./firmware-client.ts";
import { firmwarePhrases } from "./firmware-phrases.ts";

export interface StateDialogProps {
  firmware: Firmware | undefined;
  onClose: () => void;
  onStored: () => void;
}

/** Withdraws or restores firmware, after showing how many devices are affected. */
export function StateDialog({ firmware, onClose, onStored }: StateDialogProps) {
  const words = usePhrases(firmwarePhrases);
  const { server } = useApp();
  const { count } = useNumbers();
  const { send } = useChanges();
  const { notify } = useNotices();
  const mode = useMode();
  const [isBusy, setIsBusy] = useState(false);
  const isGood = firmware?.known_good ?? false;
  const store = async () => {
    if (!firmware) return;
    setIsBusy(true);
    const { hash, vendor, product, version, pcrs, sbom_components } = firmware;
    const request = { vendor, product, version, pcrs, sbom_components, known_good: !isGood };
    const stored = await send(() => storeFirmware(server, hash, request), { before: firmware }).finally(() =>
      setIsBusy(false),
    );
    onClose();
    if (!stored) return;
    notify({ tone: "ok", text: stored.approval_id ? words.waits : words.stored });
    onStored();
  };
  return (
    <Dialog
      title={isGood ? words.withdrawTitle : words.restoreTitle}
      isOpen={firmware !== undefined}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind={isGood ? "danger" : "primary"} isBusy={isBusy} onClick={() => void store()}>
            {mode === "dry_run" ? words.previewAdd : isGood ? words.withdraw : words.restore}
          </Button>
        </>
      }
    >
      {firmware && (
        <>
          <p>
            <SafeText>{`${firmware.product} ${firmware.version}`}</SafeText>: {count(firmware.devices, words.devices)}
          </p>
          <p>{isGood ? words.withdrawEffect : words.restoreEffect}</p>
        </>
      )}
    </Dialog>
  );
}
