import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useMe } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/server.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { TextArea } from "../../../../design/field.tsx";
import type { Alert, AlertsClient } from "../alerts-client.ts";
import "./dialogs.css";
import { dialogPhrases } from "./alert-dialogs-phrases.ts";

export interface PromoteDialogProps {
  client: AlertsClient;
  alert: Alert;
  onClose: () => void;
  onLinked: (ids: readonly string[]) => void;
}

/** Creates a case from an alert. */
export function PromoteDialog({ client, alert, onClose, onLinked }: PromoteDialogProps) {
  const words = usePhrases(dialogPhrases);
  const mode = useMode();
  const { username } = useMe();
  const { notify } = useNotices();
  const { go } = useAddress();
  const [description, setDescription] = useState(alert.description ?? "");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const promote = async () => {
    setIsBusy(true);
    try {
      const text = description.trim();
      const body = await client.promote(alert.id, { assignee: username, ...(text !== "" && { description: text }) });
      onClose();
      if (isPreview(body)) return void notify({ tone: "waiting", text: `${words.previewed} · ${body.preview.title}` });
      onLinked([alert.id]);
      const run = () => go(`/cases/${body.id}/timeline`);
      notify({ tone: "ok", text: `${words.promoted} · ${body.title}`, action: { label: words.openCase, run } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsBusy(false);
      setProblem(errorWords(error));
    }
  };
  const label = mode === "dry_run" ? words.previewPromote : words.promote;
  useCommands([
    {
      id: "alerts.send-promote",
      label,
      group: words.promoteTitle,
      keys: ["mod+Enter"],
      isInDialog: true,
      isHidden: true,
      run: promote,
    },
  ]);
  return (
    <Dialog
      title={words.promoteTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" isBusy={isBusy} onClick={() => void promote()}>
            {label}
          </Button>
        </>
      }
    >
      <div className="alerts-form">
        <p className="alerts-strong">
          <SafeText>{alert.title}</SafeText>
        </p>
        <p>{words.promoteText}</p>
        <TextArea
          label={words.description}
          value={description}
          maxLength={20_000}
          onChange={(event) => setDescription(event.target.value)}
        />
        {problem && (
          <p className="field-error" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}
