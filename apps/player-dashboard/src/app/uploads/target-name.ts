import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import type { Language } from "../language/language.ts";
import { isolated } from "../language/translations.ts";
import type { UploadTarget } from "./upload-queue.ts";

/** What a file on its way is: "Ya-Sin, Husary", or the name of an adhan. */
export function formatTargetName(
  { kind, reciter = "", surah = 0, name = "" }: UploadTarget,
  language: Language,
): string {
  if (kind === "adhan") return isolated(name);
  const surahName = (language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES)[surah - 1] ?? "";
  return `${surahName}${language === "ar" ? "، " : ", "}${isolated(reciter)}`;
}
