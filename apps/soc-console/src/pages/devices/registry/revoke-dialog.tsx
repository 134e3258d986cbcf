import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { DeviceSign, DeviceWhy } from "./device-signs.tsx";
import { type Attestation, DEVICES, type Device, type RevocationResult, revokeDevice } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";

export interface RevokeDialogProps {
  device: Device | undefined;
  last: Attestation | undefined;
  onClose: () => void;
}

/** Asks for a reason and shows the effect before a device is revoked. */
export function RevokeDialog({ device, last, onClose }: RevokeDialogProps) {
  const words = usePhrases(devicesPhrases);
  const mode = useMode();
  const [isBusy, revoke] = useRevoke(device, onClose);
  return (
    <Dialog
      title={words.revokeTitle}
      isOpen={device !== undefined}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={() => void revoke()}>
            {mode === "dry_run" ? words.revokePreview : words.revoke} ↗
          </Button>
        </>
      }
    >
      {device && (
        <div className="devices-form">
          <section className="devices-effect" aria-label={words.willHappen}>
            <h3 className="devices-effect-title">{words.willHappen}</h3>
            <p>{fill(words.effect, { name: isolated(safeText(device.name)) })}</p>
            <p>{words.effectAgain}</p>
            <p className="soft">{words.effectProof}</p>
            <p className="soft">{words.fourEyes}</p>
          </section>
          <section aria-label={words.because}>
            <h3 className="devices-effect-title">{words.because}</h3>
            <p className="devices-because">
              <DeviceSign device={device} last={last} />
              <DeviceWhy device={device} last={last} />
            </p>
          </section>
        </div>
      )}
    </Dialog>
  );
}

function useRevoke(device: Device | undefined, onClose: () => void): [boolean, () => Promise<void>] {
  const words = usePhrases(devicesPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const { go } = useAddress();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const report = (answer: RevocationResult) => {
    if (answer.status === "pending_approval") {
      const { approval_id } = answer;
      const action = { label: words.openApproval, run: () => go(`/approvals/${approval_id}`) };
      notify({ tone: "waiting", text: words.waitsForApproval, action });
    } else if (answer.status === "revoked") notify({ tone: "ok", text: words.revokeDone });
    else notify({ tone: "waiting", text: words.revokeWaits });
  };
  const revoke = async () => {
    if (!device) return;
    setIsBusy(true);
    const answer = await send(() => revokeDevice(server, device.id), { before: device }).finally(() =>
      setIsBusy(false),
    );
    onClose();
    if (!answer) return;
    report(answer);
    await queries.invalidateQueries({ queryKey: [DEVICES] });
  };
  return [isBusy, revoke];
}
