import { useLanguage, usePhrases } from "../../app/app.ts";
import { useNextPrayer } from "../../app/prayer/next-prayer.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { simplePhrases } from "./simple-phrases.ts";
import { untilWords } from "./until-words.ts";

export function SimplePrayer() {
  const language = useLanguage();
  const phrases = usePhrases(simplePhrases);
  const nowSeconds = useSeconds();
  const next = useNextPrayer();
  if (!next) return null;
  return (
    <section class="simple-prayer">
      <h2 class="simple-prayer-label">{phrases.nextPrayer}</h2>
      <p class="simple-prayer-time">
        <span>{next.name}</span> <span class="simple-prayer-clock">{next.time}</span>
      </p>
      <p class="simple-prayer-until">{untilWords(next.epoch - nowSeconds, language)}</p>
    </section>
  );
}
