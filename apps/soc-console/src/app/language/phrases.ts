import { safeText } from "../text/safe-text.ts";
import { numberWords } from "./numbers.ts";

/** Fills `{name}` in a sentence. A value is text, never markup; digits and grouping are the same in both languages. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? numberWords(value, "en") : value;
  });
}

/** Makes the hidden signs of an outside text visible, and keeps its direction from affecting the sentence around it. */
export function isolated(text: string): string {
  return `\u2068${safeText(text)}\u2069`;
}
