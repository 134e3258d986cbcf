import { useApp, useLanguage } from "../app.ts";
import { instantWords } from "./instant-words.ts";

/** Formats instants with the device's own clock, zone and time format. */
export function useInstantWords(): (epochS: number) => string {
  const { live } = useApp();
  const language = useLanguage();
  const settings = live.settings.view.value;
  const timezone = settings?.timezone ?? "UTC0";
  const is24h = settings?.time_format_24h ?? true;
  return (epochS) => instantWords(epochS, { nowS: live.deviceNowMs() / 1000, timezone, is24h, language });
}
