import type { FilesBody } from "@player/service/contract/library";
import { computed } from "@preact/signals";
import { useId, useMemo, useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { useApp, useLanguage, usePhrases, useResource } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { fill, isolated } from "../language/translations.ts";
import { createResource } from "../live/resource.ts";
import { Loaded } from "../status/loaded.tsx";
import { folderOf } from "./folder.ts";
import { targetsPhrases } from "./targets-phrases.ts";

export interface FileBrowserProps {
  /** The chosen file; empty while there is none. */
  path: string;
  onChoose: (path: string) => void;
}

/** Looks through the memory card, one folder at a time. */
export function FileBrowser({ path, onChoose }: FileBrowserProps) {
  const phrases = usePhrases(targetsPhrases);
  const [folder, setFolder] = useState(folderOf(path));
  return (
    <fieldset class="files">
      <legend class="field-label">{phrases.files}</legend>
      <p class="field-hint" role="status">
        {path === "" ? phrases.noFile : fill(phrases.chosenFile, { file: isolated(path) })}
      </p>
      <p class="files-place">
        <Icon name="card" />
        <bdi>{folder === "" ? phrases.cardTop : folder}</bdi>
      </p>
      {folder !== "" && (
        <Button icon="back" onClick={() => setFolder(folderOf(folder))}>
          {phrases.folderUp}
        </Button>
      )}
      <Folder key={folder} folder={folder} path={path} onOpen={setFolder} onChoose={onChoose} />
    </fieldset>
  );
}

function Folder({
  folder,
  path,
  onOpen,
  onChoose,
}: FileBrowserProps & { folder: string; onOpen: (path: string) => void }) {
  const { api, live } = useApp();
  const phrases = usePhrases(targetsPhrases);
  const language = useLanguage();
  const files = useMemo(
    () =>
      createResource(
        () => api.get<FilesBody>(`/library/files?path=${encodeURIComponent(folder)}`),
        computed(() => live.library.value?.card),
      ),
    [api, live, folder],
  );
  return (
    <Loaded reading={useResource(files)} refresh={files.refresh}>
      {(body) => (
        <>
          <ul class="files-list">
            {body.folders.map((each) => (
              <li key={each.path}>
                <button type="button" class="files-entry" onClick={() => onOpen(each.path)}>
                  <Icon name="folder" />
                  <bdi>{each.name}</bdi>
                  <Icon name="forward" />
                </button>
              </li>
            ))}
          </ul>
          <FileChoices files={body.files} path={path} onChoose={onChoose} />
          {body.folders.length + body.files.length === 0 && <p class="field-hint">{phrases.emptyFolder}</p>}
          {body.left_off > 0 && <p class="field-hint">{counted(body.left_off, phrases.leftOff, language)}</p>}
        </>
      )}
    </Loaded>
  );
}

function FileChoices({ files, path, onChoose }: FileBrowserProps & Pick<FilesBody, "files">) {
  const name = useId();
  return (
    <div class="files-list">
      {files.map((file) => (
        <label key={file.path} class="files-entry">
          <input type="radio" name={name} checked={file.path === path} onChange={() => onChoose(file.path)} />
          <bdi>{file.name}</bdi>
        </label>
      ))}
    </div>
  );
}
