import type { PlaybookInput } from "./playbooks-client.ts";

type InputDefinition = Pick<PlaybookInput, "name" | "type">;

/** Converts the text of a field to the type of the parameter; undefined for an empty field. */
export function parseInput({ type }: Pick<InputDefinition, "type">, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (type === "number") return Number(trimmed);
  if (type === "boolean") return trimmed === "true";
  if (type === "list")
    return trimmed
      .split(/[\n,،]/)
      .map((item) => item.trim())
      .filter(Boolean);
  return trimmed;
}

/** The parameters of a run. Empty fields are omitted. */
export function parseInputs(inputs: readonly InputDefinition[], texts: Readonly<Record<string, string>>) {
  const values = inputs.map((input): [string, unknown] => [input.name, parseInput(input, texts[input.name] ?? "")]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
