import { type RefObject, useRef, useState } from "react";
import { usePhrases } from "../language/language-context.tsx";
import type { ApiError } from "../server/api-error.ts";
import { toSentence } from "../server/error-words.ts";
import { parseInputs } from "./parse-input.ts";
import type { PlaybookInput } from "./playbooks-client.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";

type Texts = Readonly<Record<string, string>>;
/** What is needed to read a value from a person. */
export type AskedInput = Pick<PlaybookInput, "name" | "type" | "description">;

export interface InputsForm<Input extends AskedInput = AskedInput> {
  inputs: readonly Input[];
  texts: Texts;
  errors: Texts;
  fields: RefObject<HTMLDivElement | null>;
  type: (name: string, text: string) => void;
  /** The values; undefined when one of the inputs that need a value has none: its field says so. */
  read: (needsValue: (input: Input) => boolean) => Record<string, unknown> | undefined;
  /** Shows a refusal at its field. False when it is about none of them. */
  refuse: (error: ApiError) => boolean;
  clear: () => void;
}

const PARAMETER = "parameters.";

/** The values of a playbook's inputs that a person types. */
export function useInputs<Input extends AskedInput>(inputs: readonly Input[]): InputsForm<Input> {
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
    read(needsValue) {
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
