import { findNextPrayer } from "@player/service/contract/next-prayer";
import type { PrayerBody } from "@player/service/contract/prayer";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { commonPhrases } from "../language/common-phrases.ts";
import { wallTimeWords } from "../language/times.ts";
import { PRAYERS } from "./prayers.ts";

/** The next of the five prayers; sunrise is none. Undefined without a place. */
export function useNextPrayer(): { name: string; time: string; epoch: number } | undefined {
  const { live } = useApp();
  const language = useLanguage();
  const { prayers } = usePhrases(commonPhrases);
  const prayer = live.prayer.value;
  const next = prayer && findNextPrayer(prayer);
  if (!next) return undefined;
  const is24h = live.settings.view.value?.time_format_24h ?? true;
  return {
    name: prayers[next.index] ?? "",
    time: wallTimeWords(timeOf(prayer, next.index), is24h, language),
    epoch: next.epoch,
  };
}

/** The next time of the day may belong to tomorrow; the others are today's. */
function timeOf({ next, times }: PrayerBody, index: number): string {
  const name = PRAYERS[index];
  if (next?.index === index) return next.time;
  return (name && times?.[name]) ?? "";
}
