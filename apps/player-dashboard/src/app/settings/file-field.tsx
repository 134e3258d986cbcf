import { useId } from "preact/hooks";
import { Icon } from "../../design/icons.tsx";
import { usePhrases } from "../app.ts";
import { settingsPhrases } from "./settings-phrases.ts";
import "./file-field.css";

/** A file input for this phone or computer. */
export function FileField({
  label,
  hint,
  accept,
  chosen,
  error,
  onChoose,
  disabled = false,
}: {
  label: string;
  hint?: string;
  accept?: string;
  /** Name of the selected file. */
  chosen: string | undefined;
  error?: string | undefined;
  onChoose: (file: File) => void;
  disabled?: boolean;
}) {
  const id = useId();
  const { chooseFile } = usePhrases(settingsPhrases);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="file-field">
        <div class="button file-field-button">
          <Icon name="upload" />
          <span>{chooseFile}</span>
          <input
            id={id}
            class="file-field-input"
            type="file"
            accept={accept}
            disabled={disabled}
            aria-describedby={`${id}-about`}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file) onChoose(file);
              // Allows the same file to be selected again after it was fixed.
              currentTarget.value = "";
            }}
          />
        </div>
        {chosen && <bdi class="file-field-name">{chosen}</bdi>}
      </div>
      <p id={`${id}-about`} class={error ? "field-error" : "field-hint"} role={error ? "alert" : undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}
