import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { readStored, writeStored } from "../browser/browser-storage.ts";
import { chooseLanguage, directionOf, type Language } from "./language.ts";

export interface LanguageChoice {
  language: ReadonlySignal<Language>;
  /** Switches the language, now and on later visits. */
  speak: (language: Language) => void;
}

const STORAGE_KEY = "language";
const PRODUCT: Readonly<Record<Language, string>> = { en: "Manara Player", ar: "منارة" };

export function createLanguageChoice(): LanguageChoice {
  const kept = readStored(STORAGE_KEY);
  const language = signal(chooseLanguage(kept ? [kept] : navigator.languages));

  effect(() => {
    document.documentElement.lang = language.value;
    document.documentElement.dir = directionOf(language.value);
    document.title = PRODUCT[language.value];
  });

  return {
    language,
    speak(wanted) {
      language.value = wanted;
      writeStored(STORAGE_KEY, wanted);
    },
  };
}
