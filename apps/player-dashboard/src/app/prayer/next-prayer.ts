import { useApp, useLanguage, usePhrases } from "../app.ts";
import { commonPhrases } from "../language/common-phrases.ts";
import { wallTimeWords } from "../language/times.ts";

/** The next of the five prayers, which exclude sunrise. Undefined without a location. */
export function useNextPrayer(): { name: string; time: string; epoch: number } | undefined {
  const { live } = useApp();
  const language = useLanguage();
  const { prayers } = usePhrases(commonPhrases);
  const next = live.prayer.value?.extra.next_prayer;
  if (!next) return undefined;
  const is24h = live.settings.view.value?.time_format_24h ?? true;
  return {
    name: prayers[next.index] ?? "",
    time: wallTimeWords(next.time, is24h, language),
    epoch: next.epoch,
  };
}
