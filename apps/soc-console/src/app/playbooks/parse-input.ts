import type { PlaybookInput } from "./playbooks-client.ts";

type Typed = Pick<PlaybookInput, "name" | "type">;

/** The value of a parameter as its type wants it; undefined when the field is empty. */
export function parseInput({ type }: Pick<Typed, "type">, text: string): unknown {
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

/** The parameters of a run; what is left empty is left out. */
export function parseInputs(inputs: readonly Typed[], texts: Readonly<Record<string, string>>) {
  const values = inputs.map((input): [string, unknown] => [input.name, parseInput(input, texts[input.name] ?? "")]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
