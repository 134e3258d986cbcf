import { useId, useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { Icon } from "../../design/icons.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";
import "../../app/settings/file-field.css";

/** Files of this phone or computer, chosen or dropped. */
export function FileDrop({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const id = useId();
  const phrases = usePhrases(uploadsPhrases);
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the field inside does the same by keyboard.
    <div
      class={`file-drop ${isOver ? "file-drop-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <div class="button button-primary file-field-button">
        <Icon name="upload" />
        <span aria-hidden="true">{phrases.chooseFiles}</span>
        <input
          id={id}
          class="file-field-input"
          type="file"
          multiple
          accept="audio/*,.mp3,.m4a,.ogg,.opus,.flac,.wav"
          aria-label={phrases.chooseFiles}
          aria-describedby={`${id}-about`}
          onChange={({ currentTarget }) => {
            onChoose([...(currentTarget.files ?? [])]);
            // Allows the same file to be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      <span class="file-drop-words">{phrases.drop}</span>
      <p id={`${id}-about`} class="field-hint">
        {phrases.chooseHint}
      </p>
    </div>
  );
}
