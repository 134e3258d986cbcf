import { useState } from "react";
import { now } from "../../../app/browser/clock.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Checkbox, TextField } from "../../../design/field.tsx";
import { changeIoc, type IocDetail } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

export interface EndDialogProps {
  ioc: IocDetail;
  onClose: () => void;
  onChanged: (ioc: IocDetail) => void;
}

const DAY = 10;

/** The expiry of the indicator, which can be brought forward. */
export function EndDialog({ ioc, onClose, onChanged }: EndDialogProps) {
  const words = usePhrases(iocsPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const isDry = useMode() === "dry_run";
  const [day, setDay] = useState((ioc.expires_at ?? now().toISOString()).slice(0, DAY));
  const [isEndless, setIsEndless] = useState(ioc.expires_at === null);
  const [isBusy, setIsBusy] = useState(false);
  const change = async (expires_at: string | null) => {
    setIsBusy(true);
    const changed = await send(() => changeIoc(server, ioc.id, { expires_at }), { before: ioc });
    setIsBusy(false);
    if (changed) onChanged(changed);
    onClose();
  };
  const end = isEndless ? null : `${day}T23:59:59.000Z`;
  return (
    <Dialog
      title={words.changeEnd}
      onClose={onClose}
      width="s"
      actions={
        <>
          <Button isBusy={isBusy} onClick={() => void change(now().toISOString())}>
            {words.endNow}
          </Button>
          <Button kind="primary" isBusy={isBusy} disabled={!isEndless && day === ""} onClick={() => void change(end)}>
            {isDry ? words.previewSave : words.save}
          </Button>
        </>
      }
    >
      <div className="iocs-form">
        <p className="soft">{words.endText}</p>
        <TextField
          type="date"
          label={words.lastDay}
          value={day}
          disabled={isEndless}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Checkbox label={words.noEnd} checked={isEndless} onChange={setIsEndless} />
      </div>
    </Dialog>
  );
}
