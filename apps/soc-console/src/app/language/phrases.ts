import { numberWords } from "./numbers.ts";

/** Fills `{name}` in a sentence. A value is text, never markup; digits and grouping are the same in both languages. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? numberWords(value, "en") : value;
  });
}

/** Isolates an outside text inside a sentence, so that its direction does not affect the sentence. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
