import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { simplePhrases } from "./simple-phrases.ts";
import { untilWords } from "./until-words.ts";

export function SimplePrayer() {
  const { live } = useApp();
  const language = useLanguage();
  const { prayers } = usePhrases(commonPhrases);
  const phrases = usePhrases(simplePhrases);
  const nowSeconds = useSeconds();
  const next = live.prayer.value?.next;
  if (!next) return null;
  return (
    <section class="simple-prayer">
      <h2 class="simple-prayer-label">{phrases.nextPrayer}</h2>
      <p class="simple-prayer-time">
        <span>{prayers[next.index] ?? next.name}</span>{" "}
        <span class="simple-prayer-clock">
          {wallTimeWords(next.time, live.settings.view.value?.time_format_24h ?? true, language)}
        </span>
      </p>
      <p class="simple-prayer-until">{untilWords(next.epoch - nowSeconds, language)}</p>
    </section>
  );
}
