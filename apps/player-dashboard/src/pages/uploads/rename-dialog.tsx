import type { RenameResult } from "@player/service/contract/card-files";
import { useState } from "preact/hooks";
import { ApiError } from "../../app/api/api-client.ts";
import { NotUnlocked } from "../../app/api/commands.ts";
import { errorWords } from "../../app/api/error-words.ts";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { folderOf } from "../../app/targets/folder.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";

export interface CardEntry {
  kind: "file" | "folder";
  name: string;
  path: string;
}

/** Another name in the same folder. Says what could not follow the new name. */
export function RenameDialog({ entry, onClose }: { entry: CardEntry; onClose: () => void }) {
  const { api, commands, notices } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const [name, setName] = useState(entry.name);
  const [error, setError] = useState<string>();

  async function save(): Promise<void> {
    const folder = folderOf(entry.path);
    const to = folder === "" ? name.trim() : `${folder}/${name.trim()}`;
    try {
      const { not_followed } = await commands.unlocked(() =>
        api.post<RenameResult>("/library/files/rename", { path: entry.path, to }),
      );
      notices.show("done", phrases.renamed);
      if (not_followed.length > 0) notices.show("refused", counted(not_followed.length, phrases.notFollowed, language));
      onClose();
    } catch (refusal) {
      if (refusal instanceof ApiError) {
        setError(RENAME_REFUSALS[refusal.code ?? ""]?.(phrases) ?? errorWords(refusal, language));
      } else if (!(refusal instanceof NotUnlocked)) throw refusal;
    }
  }

  return (
    <Dialog title={fill(phrases.renameTitle, { name: isolated(entry.name) })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={phrases.newName}
          hint={entry.kind === "folder" ? phrases.newFolderHint : phrases.newFileHint}
          value={name}
          error={error}
          maxLength={100}
          isRequired
          onInput={setName}
        />
        <div class="actions">
          <Button kind="primary" type="submit" needsToken>
            {phrases.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const RENAME_REFUSALS: Readonly<Record<string, (phrases: (typeof uploadsPhrases)["en"]) => string>> = {
  file_exists: (phrases) => phrases.nameTaken,
  file_playing: (phrases) => phrases.isPlaying,
  name_refused: (phrases) => phrases.refusals.name_refused ?? "",
  card_read_only: (phrases) => phrases.refusals.card_read_only ?? "",
  card_missing: (phrases) => phrases.refusals.card_missing ?? "",
};
