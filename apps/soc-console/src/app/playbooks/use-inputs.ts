import { type RefObject, useRef, useState } from "react";
import { usePhrases } from "../language/language-context.tsx";
import { type ApiError, toSentence } from "../server/api-error.ts";
import { parseInputs } from "./parse-input.ts";
import type { PlaybookInput } from "./playbooks-client.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";

type Texts = Readonly<Record<string, string>>;
/** Converts user input to a value. */
export type InputSpec = Pick<PlaybookInput, "name" | "type" | "description">;

export interface InputsForm<Input extends InputSpec = InputSpec> {
  inputs: readonly Input[];
  texts: Texts;
  errors: Texts;
  fields: RefObject<HTMLDivElement | null>;
  type: (name: string, text: string) => void;
  /** The values; undefined if a required input (default: all) is empty. Its field then shows an error. */
  read: (needsValue?: (input: Input) => boolean) => Record<string, unknown> | undefined;
  /** Shows a refusal at its field. Returns false if it concerns none of them. */
  refuse: (error: ApiError) => boolean;
  clear: () => void;
}

const PARAMETER = "parameters.";

/** The values that the user enters for the inputs of a playbook. */
export function useInputs<Input extends InputSpec>(inputs: readonly Input[]): InputsForm<Input> {
  const words = usePhrases(playbooksPhrases);
  const [texts, setTexts] = useState<Texts>({});
  const [errors, setErrors] = useState<Texts>({});
  const fields = useRef<HTMLDivElement>(null);

  function show(wrong: readonly (readonly [string, string])[]): void {
    setErrors(Object.fromEntries(wrong));
    const [name] = wrong[0] ?? [];
    if (name !== undefined) fields.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
  }

  return {
    inputs,
    texts,
    errors,
    fields,
    type(name, text) {
      setTexts({ ...texts, [name]: text });
      setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== name)));
    },
    read(needsValue = () => true) {
      const values = parseInputs(inputs, texts);
      const missing = inputs.filter((input) => needsValue(input) && values[input.name] === undefined);
      show(missing.map(({ name }) => [name, words.valueRequired]));
      return missing.length === 0 ? values : undefined;
    },
    refuse(error) {
      const { field, message } = error;
      const input = inputs.find(({ name }) => field === `${PARAMETER}${name}`);
      if (!input) return false;
      show([[input.name, toSentence(message.replace(`${field}: `, ""))]]);
      return true;
    },
    clear() {
      setTexts({});
      setErrors({});
    },
  };
}
