import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { arabic } from "./arabic.ts";
import { english } from "./english.ts";
import { chooseLanguage, directionOf, type Language } from "./language.ts";
import type { Phrases } from "./phrases.ts";

export interface LanguageChoice {
  phrases: ReadonlySignal<Phrases>;
  /** Speaks this language from now on, and on the next visit. */
  speak: (language: Language) => void;
}

const KEPT_AS = "language";
const PHRASES_OF: Readonly<Record<Language, Phrases>> = { en: english, ar: arabic };

/** A browser may refuse storage to a page; the choice then lasts as long as the page. */
function withStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

export function createLanguageChoice(): LanguageChoice {
  const kept = withStorage((storage) => storage.getItem(KEPT_AS));
  const phrases = signal(PHRASES_OF[chooseLanguage(kept ? [kept] : navigator.languages)]);

  effect(() => {
    const { language, product } = phrases.value;
    document.documentElement.lang = language;
    document.documentElement.dir = directionOf(language);
    document.title = product;
  });

  return {
    phrases,
    speak(language) {
      phrases.value = PHRASES_OF[language];
      withStorage((storage) => storage.setItem(KEPT_AS, language));
    },
  };
}
