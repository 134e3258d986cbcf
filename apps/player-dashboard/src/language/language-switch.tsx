import { arabic } from "./arabic.ts";
import { english } from "./english.ts";
import { directionOf, type Language, otherLanguage } from "./language.ts";

const NAME_OF: Readonly<Record<Language, string>> = { en: english.languageName, ar: arabic.languageName };

export function LanguageSwitch({ language, speak }: { language: Language; speak: (language: Language) => void }) {
  const other = otherLanguage(language);
  return (
    <button type="button" class="switch" lang={other} dir={directionOf(other)} onClick={() => speak(other)}>
      {NAME_OF[other]}
    </button>
  );
}
