import type { Language } from "../language/language.ts";
import { fill } from "../language/language-context.tsx";
import { counted } from "../language/numbers.ts";
import { parseAge, resolveRange, type TimeRange } from "./range.ts";
import { timePhrases } from "./time-phrases.ts";

/** `Last 24 hours`, `Since 17 Nov 2026, 08:00:00`, or both bounds. `spell` formats an instant in the chosen zone. */
export function rangeWords(range: TimeRange, now: Date, language: Language, spell: (at: Date) => string): string {
  const words = timePhrases[language];
  const age = range.to === undefined && range.from.startsWith("-") ? parseAge(range.from) : undefined;
  if (age) return counted(age.count, words.last[age.unit], language);
  const { from, to } = resolveRange(range, now);
  if (range.to === undefined) return fill(words.since, { from: spell(from) });
  return fill(words.between, { from: spell(from), to: spell(to) });
}
