import { createContext, type ReactNode, use, useLayoutEffect, useMemo, useState } from "react";
import { readStored, writeStored } from "../browser/browser-storage.ts";
import { bytesWords } from "./bytes.ts";
import { chooseLanguage, type Direction, type Language, readingDirection } from "./language.ts";
import { counted, numberWords, type PluralForms, percent } from "./numbers.ts";
import type { Translations } from "./translations.ts";

export interface LanguageChoice {
  language: Language;
  direction: Direction;
  /** Switches the language, now and on later visits. */
  choose: (language: Language) => void;
}

export interface Numbers {
  /** `1,284` */
  number: (value: number) => string;
  /** `1,284 alerts` */
  count: (count: number, forms: PluralForms) => string;
  /** `99.2%`, of a share from 0 to 1. */
  percent: (share: number) => string;
  /** `1.5 KiB` */
  bytes: (sizeBytes: number) => string;
}

const STORAGE_KEY = "language";
const LanguageContext = createContext<LanguageChoice | undefined>(undefined);

/** Holds the language of the console, and sets `lang` and `dir` of the document. */
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
  return <LanguageContext value={choice}>{children}</LanguageContext>;
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

/** Numbers in words of the chosen language. */
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
