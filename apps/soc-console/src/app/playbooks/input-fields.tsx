import type { KeyboardEvent } from "react";
import { SelectField, TextField } from "../../design/field.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { safeText } from "../text/safe-text.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import type { InputSpec, InputsForm } from "./use-inputs.ts";
import "./playbooks.css";

export interface InputFieldsProps<Input extends InputSpec> {
  form: InputsForm<Input>;
  /** The required inputs. Default: all. */
  isRequired?: (input: Input) => boolean;
  /** A hint beside its description. */
  note?: (input: Input) => string | false | null;
  /** Called when a value has changed. */
  onType?: () => void;
  onKeyDown?: (event: KeyboardEvent<HTMLElement>) => void;
}

/** One field for each input of a playbook. */
export function InputFields<Input extends InputSpec>(props: InputFieldsProps<Input>) {
  const { form, isRequired = () => true, note, onType, onKeyDown } = props;
  const words = usePhrases(playbooksPhrases);
  if (form.inputs.length === 0) return null;
  return (
    <div className="input-fields" ref={form.fields}>
      {form.inputs.map((input) => {
        const { name, type, description } = input;
        const notes = [
          safeText(description),
          type === "list" && words.listNote,
          isRequired(input) && words.required,
          note?.(input),
        ];
        const change = (text: string) => {
          form.type(name, text);
          onType?.();
        };
        const field = {
          label: name,
          name,
          hint: notes.filter(Boolean).join(" · "),
          error: form.errors[name] && <bdi>{form.errors[name]}</bdi>,
          required: isRequired(input),
          value: form.texts[name] ?? "",
          dir: "ltr",
          onKeyDown,
        };
        return type === "boolean" ? (
          <SelectField
            key={name}
            {...field}
            options={["", "true", "false"].map((value) => ({ value, label: value || words.chooseValue }))}
            onChange={change}
          />
        ) : (
          <TextField
            key={name}
            {...field}
            type={type === "number" ? "number" : "text"}
            autoComplete="off"
            onChange={(event) => change(event.currentTarget.value)}
          />
        );
      })}
    </div>
  );
}
