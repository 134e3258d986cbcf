import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { positionWords } from "../../app/places/place-words.ts";
import { usePlaces } from "../../app/places/use-places.ts";
import { adhanPhrases } from "../../app/prayer/adhan-phrases.ts";
import { monthPhrases } from "./month-phrases.ts";

/** The place and the method, for the printed sheet. */
export function MonthFoot() {
  const { live } = useApp();
  const language = useLanguage();
  const { basis } = usePhrases(monthPhrases);
  const { methods, asrStandard, asrHanafi } = usePhrases(adhanPhrases);
  const places = usePlaces();
  const config = live.prayer.value?.config;
  if (!places || config?.lat === undefined || config.lng === undefined) return null;
  const { lat, lng, method, asr_hanafi } = config;
  return (
    <p class="month-foot">
      <strong>{positionWords({ lat, lng }, places, language)}</strong>{" "}
      {fill(basis, { method: methods[method] ?? "", asr: asr_hanafi ? asrHanafi : asrStandard })}
    </p>
  );
}
