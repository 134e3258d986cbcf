import type { FilesBody } from "@player/service/contract/library";
import { computed } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { Icon, type IconName } from "../../design/icons.tsx";
import { useApp, useLanguage, usePhrases, useResource } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { createResource } from "../live/resource.ts";
import { useEntryFocus } from "../places/entry-focus.ts";
import { Loaded } from "../status/loaded.tsx";
import { folderOf } from "../targets/folder.ts";
import { adhanPhrases } from "./adhan-phrases.ts";
import "./file-picker.css";

interface FilePickerProps {
  /** The file that is chosen now; empty for none. */
  path: string;
  /** What plays without a file. */
  withoutFile: string;
  onChoose: (path: string) => void;
}

/** Goes through the folders of the card. */
export function FilePicker({ path, withoutFile, onChoose }: FilePickerProps) {
  const [folder, setFolder] = useState(folderOf(path));
  return (
    <div class="stack">
      <ul class="files">
        <Entry icon="volume" name={withoutFile} isChosen={path === ""} onClick={() => onChoose("")} />
      </ul>
      <OpenFolder key={folder} folder={folder} chosen={path} onOpen={setFolder} onChoose={onChoose} />
    </div>
  );
}

interface OpenFolderProps extends Omit<FolderProps, "body"> {
  /** Empty for the card's top. */
  folder: string;
}

function OpenFolder({ folder, onOpen, ...rest }: OpenFolderProps) {
  const { api, live } = useApp();
  const phrases = usePhrases(adhanPhrases);
  const heading = useEntryFocus<HTMLHeadingElement>();
  const files = useMemo(
    () =>
      createResource(
        () => api.get<FilesBody>(`/library/files?path=${encodeURIComponent(folder)}`),
        computed(() => live.library.value?.card),
      ),
    [api, live, folder],
  );
  const reading = useResource(files);
  return (
    <section class="files">
      <h3 ref={heading} class="files-folder" tabIndex={-1}>
        {phrases.top}
        {folder && <bdi> / {folder.replaceAll("/", " / ")}</bdi>}
      </h3>
      <ul class="files">
        {folder && <Entry icon="back" name={phrases.up} onClick={() => onOpen(folderOf(folder))} />}
        <Loaded reading={reading} refresh={files.refresh}>
          {(body) => <Folder body={body} onOpen={onOpen} {...rest} />}
        </Loaded>
      </ul>
    </section>
  );
}

interface FolderProps {
  body: FilesBody;
  chosen: string;
  onOpen: (path: string) => void;
  onChoose: (path: string) => void;
}

function Folder({ body: { folders, files, left_off }, chosen, onOpen, onChoose }: FolderProps) {
  const language = useLanguage();
  const phrases = usePhrases(adhanPhrases);
  return (
    <>
      {folders.map(({ name, path }) => (
        <Entry key={path} icon="forward" name={name} onClick={() => onOpen(path)} />
      ))}
      {files.map(({ name, path }) => (
        <Entry key={path} icon="play" name={name} isChosen={path === chosen} onClick={() => onChoose(path)} />
      ))}
      {folders.length + files.length === 0 && <li class="field-hint">{phrases.emptyFolder}</li>}
      {left_off > 0 && <li class="field-hint">{counted(left_off, phrases.leftOff, language)}</li>}
    </>
  );
}

interface EntryProps {
  icon: IconName;
  name: string;
  isChosen?: boolean;
  onClick: () => void;
}

function Entry({ icon, name, isChosen = false, onClick }: EntryProps) {
  return (
    <li>
      <button type="button" class="file" aria-pressed={isChosen} onClick={onClick}>
        <Icon name={icon} />
        <span dir="auto">{name}</span>
        {isChosen && <Icon name="check" />}
      </button>
    </li>
  );
}
