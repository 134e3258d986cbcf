import type { BackupBody } from "@player/service/contract/backup";
import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { dateName } from "../../app/time/clock-words.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { backupPhrases } from "./backup-phrases.ts";
import { RestorePanel } from "./restore-panel.tsx";
import { saveFile } from "./save-file.ts";
import "./backup.css";

export function BackupPage() {
  const phrases = usePhrases(backupPhrases);
  return (
    <Subpage title={phrases.title}>
      <div class="panels panels-two">
        <KeepPanel />
        <RestorePanel />
      </div>
    </Subpage>
  );
}

function KeepPanel() {
  const { api, live, commands, notices } = useApp();
  const phrases = usePhrases(backupPhrases);
  const [isBusy, setBusy] = useState(false);

  async function download(): Promise<void> {
    const settings = live.settings.view.value;
    const isDone = await commands.run(async () => {
      setBusy(true);
      const backup = await api.get<BackupBody>("/backup");
      const date = dateName({ timezone: settings?.timezone ?? "" }, Math.floor(live.deviceNowMs() / 1000));
      saveFile(
        fill(phrases.fileName, { name: settings?.device_name ?? "", date }),
        JSON.stringify(backup, undefined, 2),
      );
    });
    setBusy(false);
    if (isDone) notices.show("done", phrases.downloaded);
  }

  return (
    <Panel title={phrases.keep}>
      <div class="stack">
        <p>{phrases.keepHint}</p>
        <div class="actions">
          <Button kind="primary" icon="download" needsToken isBusy={isBusy} onClick={() => void download()}>
            {phrases.download}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
