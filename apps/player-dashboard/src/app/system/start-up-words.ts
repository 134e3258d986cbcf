import type { SystemBody } from "@player/service/contract/system";
import type { Language } from "../language/language.ts";
import { counted } from "../language/numbers.ts";
import { startUpPhrases } from "./start-up-phrases.ts";

/** Summarizes the start-up; a failed part matters more than a warning. */
export function startUpWords({ boot_failures, warnings }: SystemBody, language: Language): string {
  const phrases = startUpPhrases[language];
  if (boot_failures.length > 0) return counted(boot_failures.length, phrases.partsNotStarted, language);
  if (warnings.length > 0) return counted(warnings.length, phrases.warningsCounted, language);
  return phrases.allStarted;
}
