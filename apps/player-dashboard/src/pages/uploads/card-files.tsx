import type { FilesBody } from "@player/service/contract/library";
import { computed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { RemoveDialog } from "../../app/controls/remove-dialog.tsx";
import { counted } from "../../app/language/numbers.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { createResource } from "../../app/live/resource.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button, IconButton } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { Panel } from "../../design/layout.tsx";
import { type CardEntry, RenameDialog } from "./rename-dialog.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";

/** The folders of the card and their files, to rename or delete. */
export function CardFiles() {
  const phrases = usePhrases(uploadsPhrases);
  const [isOpen, setOpen] = useState(false);
  const [folder, setFolder] = useState("");
  return (
    <Panel title={phrases.onCard}>
      <div class="stack">
        <p class="row-aside">{phrases.onCardHint}</p>
        {isOpen ? (
          <Folder key={folder} folder={folder} onOpen={setFolder} />
        ) : (
          <div class="actions">
            <Button icon="folder" onClick={() => setOpen(true)}>
              {phrases.top}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function Folder({ folder, onOpen }: { folder: string; onOpen: (path: string) => void }) {
  const { api, live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const files = useMemo(
    () =>
      createResource(
        () => api.get<FilesBody>(`/library/files?path=${encodeURIComponent(folder)}`),
        computed(() => live.library.value),
      ),
    [api, live, folder],
  );
  return (
    <>
      {folder !== "" && (
        <div class="actions">
          <Button icon="back" onClick={() => onOpen("")}>
            {phrases.up}
          </Button>
        </div>
      )}
      <Loaded reading={useResource(files)} refresh={files.refresh}>
        {(body) => (
          <>
            <ul class="rows">
              {body.folders.map((each) => (
                <EntryRow key={each.path} entry={{ ...each, kind: "folder" }} onOpen={() => onOpen(each.path)} />
              ))}
              {body.files.map((each) => (
                <EntryRow key={each.path} entry={{ ...each, kind: "file" }} />
              ))}
            </ul>
            {body.folders.length + body.files.length === 0 && <p class="field-hint">{phrases.emptyFolder}</p>}
            {body.left_off > 0 && <p class="field-hint">{counted(body.left_off, phrases.leftOff, language)}</p>}
          </>
        )}
      </Loaded>
    </>
  );
}

function EntryRow({ entry, onOpen }: { entry: CardEntry; onOpen?: () => void }) {
  const { api } = useApp();
  const phrases = usePhrases(uploadsPhrases);
  const [dialog, setDialog] = useState<"rename" | "remove">();
  const { kind, name, path } = entry;
  const named = { name: isolated(name) };
  const close = () => setDialog(undefined);
  return (
    <li class="card-entry">
      <Icon name={kind === "folder" ? "folder" : "volume"} />
      <span class="row-words">
        <bdi>{name}</bdi>
      </span>
      {onOpen && <IconButton icon="forward" label={fill(phrases.openFolder, named)} onClick={onOpen} />}
      <IconButton icon="edit" label={fill(phrases.renameTitle, named)} onClick={() => setDialog("rename")} />
      <IconButton icon="bin" label={`${phrases.delete}: ${named.name}`} onClick={() => setDialog("remove")} />
      {dialog === "rename" && <RenameDialog entry={entry} onClose={close} />}
      {dialog === "remove" && (
        <RemoveDialog
          title={fill(phrases.deleteTitle, named)}
          question={kind === "folder" ? phrases.deleteFolder : phrases.deleteFile}
          yes={phrases.deleteYes}
          keep={phrases.keep}
          removed={phrases.deleted}
          remove={() => api.remove(`/library/files?path=${encodeURIComponent(path)}`)}
          onClose={close}
        />
      )}
    </li>
  );
}
