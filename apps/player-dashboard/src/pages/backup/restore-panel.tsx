import type { BackupBody } from "@player/service/contract/backup";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { FileField } from "../../app/settings/file-field.tsx";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Button } from "../../design/button.tsx";
import { Dialog, Panel } from "../../design/layout.tsx";
import { contentWords, MAX_BYTES, readBackup, restoredWords } from "./backup-file.ts";
import { backupPhrases } from "./backup-phrases.ts";

type RestoreState =
  | { state: "nothing" }
  | { state: "refused"; why: "unreadable" | "foreign" | "large"; name: string }
  | { state: "read"; backup: BackupBody; name: string }
  | { state: "restored"; parts: readonly string[] };

async function chosenFrom(file: File): Promise<RestoreState> {
  const { name, size } = file;
  if (size > MAX_BYTES) return { state: "refused", why: "large", name };
  const read = readBackup(await file.text());
  return read.isBackup ? { state: "read", backup: read.backup, name } : { state: "refused", why: read.why, name };
}

export function RestorePanel() {
  const { api, commands } = useApp();
  const phrases = usePhrases(backupPhrases);
  const [chosen, setChosen] = useState<RestoreState>({ state: "nothing" });
  const [isAsking, setAsking] = useState(false);

  async function restore(backup: BackupBody): Promise<void> {
    setAsking(false);
    await commands.run(async () => {
      const { restored } = await api.post<{ restored: string[] }>("/backup", backup);
      setChosen({ state: "restored", parts: restored });
    });
  }

  return (
    <Panel title={phrases.bringBack}>
      <div class="stack">
        <p>{phrases.bringBackHint}</p>
        <FileField
          label={phrases.file}
          hint={phrases.fileHint}
          accept=".json,application/json"
          chosen={"name" in chosen ? chosen.name : undefined}
          error={chosen.state === "refused" ? phrases[chosen.why] : undefined}
          onChoose={(file) => void chosenFrom(file).then(setChosen)}
        />
        {chosen.state === "read" && <Contents backup={chosen.backup} onRestore={() => setAsking(true)} />}
        <div role="status">{chosen.state === "restored" && <Restored parts={chosen.parts} />}</div>
      </div>
      {chosen.state === "read" && isAsking && (
        <Question backup={chosen.backup} onYes={() => void restore(chosen.backup)} onNo={() => setAsking(false)} />
      )}
    </Panel>
  );
}

function ContentList({ backup }: { backup: BackupBody }) {
  const phrases = usePhrases(backupPhrases);
  const language = useLanguage();
  return (
    <ul class="content-list">
      {contentWords(backup, phrases, language).map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function Contents({ backup, onRestore }: { backup: BackupBody; onRestore: () => void }) {
  const phrases = usePhrases(backupPhrases);
  return (
    <div class="news">
      <h3 class="content-title">{phrases.inIt}</h3>
      <ContentList backup={backup} />
      <div class="actions">
        <Button kind="primary" icon="archive" needsToken onClick={onRestore}>
          {phrases.restore}
        </Button>
      </div>
    </div>
  );
}

function Question({ backup, onYes, onNo }: { backup: BackupBody; onYes: () => void; onNo: () => void }) {
  const phrases = usePhrases(backupPhrases);
  const { cancel } = usePhrases(settingsPhrases);
  return (
    <Dialog title={phrases.ask} onClose={onNo}>
      <div class="stack">
        <p>{phrases.askHint}</p>
        <ContentList backup={backup} />
        <div class="actions">
          <Button kind="danger" onClick={onYes}>
            {phrases.restoreNow}
          </Button>
          <Button kind="quiet" onClick={onNo}>
            {cancel}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Restored({ parts }: { parts: readonly string[] }) {
  const phrases = usePhrases(backupPhrases);
  const language = useLanguage();
  const list = new Intl.ListFormat(language).format(restoredWords(parts, phrases));
  return (
    <p class="news news-well">
      <strong>{phrases.restored}</strong> {list}
    </p>
  );
}
