import { useId } from "preact/hooks";

interface ReciterFieldProps {
  label: string;
  hint?: string;
  value: string;
  /** Those on the card are offered while the owner types. */
  reciters: readonly string[];
  onInput: (value: string) => void;
}

export function ReciterField({ label, hint, value, reciters, onInput }: ReciterFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="field-input"
        type="text"
        value={value}
        maxLength={100}
        autocomplete="off"
        spellcheck={false}
        list={`${id}-list`}
        dir="auto"
        aria-describedby={hint ? `${id}-about` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {reciters.map((reciter) => (
          <option key={reciter} value={reciter} />
        ))}
      </datalist>
      {hint && (
        <p id={`${id}-about`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}
