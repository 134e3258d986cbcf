import { fill } from "../language/translations.ts";
import { positionWords } from "../places/place-words.ts";
import { usePlaces } from "../places/use-places.ts";
import { useApp, useLanguage, usePhrases } from "../shell/app.ts";
import { monthPhrases } from "./month-phrases.ts";
import { prayerPhrases } from "./prayer-phrases.ts";

/** For which place, and by which method: a sheet on a wall has to say it. */
export function MonthFoot() {
  const { live } = useApp();
  const language = useLanguage();
  const { basis } = usePhrases(monthPhrases);
  const { methods, asrStandard, asrHanafi } = usePhrases(prayerPhrases);
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
