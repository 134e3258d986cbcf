import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from "react";
import { CloseLabel } from "../../design/dialog.tsx";
import { readStored, writeStored } from "../browser/browser-storage.ts";
import { safeText } from "../text/safe-text.ts";
import { bytesWords } from "./bytes.ts";
import { chooseLanguage, type Direction, type Language, readingDirection } from "./language.ts";
import { counted, numberWords, type PluralForms, percent } from "./numbers.ts";
import type { Translations } from "./translations.ts";

/** Fills `{name}` in a sentence. A value is text, never markup. Digits and grouping are the same in both languages. */
export function fill(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? numberWords(value, "en") : value;
  });
}

/** Shows invisible characters of untrusted text, and isolates its direction from the sentence around it. */
export function isolated(text: string): string {
  return `\u2068${safeText(text)}\u2069`;
}

export interface LanguageChoice {
  language: Language;
  direction: Direction;
  /** Switches the language now and for later visits. */
  choose: (language: Language) => void;
}

export interface Numbers {
  /** `1,284` */
  number: (value: number) => string;
  /** `1,284 alerts` */
  count: (count: number, forms: PluralForms) => string;
  /** A share from 0 to 1 as `99.2%`. */
  percent: (share: number) => string;
  /** `1.5 KiB` */
  bytes: (sizeBytes: number) => string;
}

const CLOSE: Translations<string> = { en: "Close", ar: "إغلاق" };
const STORAGE_KEY = "language";
const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

/** Provides the language, and sets `lang` and `dir` of the document. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState<Language>(() => {
    const kept = readStored(STORAGE_KEY);
    return chooseLanguage(kept ? [kept] : navigator.languages);
  });
  const direction = readingDirection(language);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  }, [language, direction]);
  const choice = useMemo(
    () => ({
      language,
      direction,
      choose(wanted: Language) {
        setLanguage(wanted);
        writeStored(STORAGE_KEY, wanted);
      },
    }),
    [language, direction],
  );
  return (
    <LanguageContext value={choice}>
      <CloseLabel value={CLOSE[language]}>{children}</CloseLabel>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (!choice) throw new Error("useLanguage needs a LanguageProvider");
  return choice;
}

/** The phrases in the chosen language. */
export function usePhrases<Phrases>(translations: Translations<Phrases>): Phrases {
  return translations[useLanguage().language];
}

/** Formats numbers with words of the chosen language. */
export function useNumbers(): Numbers {
  const { language } = useLanguage();
  return useMemo(
    () => ({
      number: (value) => numberWords(value, language),
      count: (count, forms) => counted(count, forms, language),
      percent: (share) => percent(share, language),
      bytes: (sizeBytes) => bytesWords(sizeBytes, language),
    }),
    [language],
  );
}
