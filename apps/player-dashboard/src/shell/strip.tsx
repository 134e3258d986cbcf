import { useApp, useLanguage, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { durationWords } from "../app/language/times.ts";
import { fill } from "../app/language/translations.ts";
import { hijriWords } from "../app/prayer/hijri-words.ts";
import { useNextPrayer } from "../app/prayer/next-prayer.ts";
import { useSeconds } from "../app/time/use-seconds.ts";
import { Icon } from "../design/icons.tsx";
import { Link } from "../design/layout.tsx";
import { shellPhrases } from "./shell-phrases.ts";

/** The next prayer, how long until then, and the Hijri date: on every page. */
export function Strip() {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(shellPhrases);
  const common = usePhrases(commonPhrases);
  const nowSeconds = useSeconds();
  const next = useNextPrayer();
  const prayer = live.prayer.value;
  if (!prayer) return <div class="strip" />;
  return (
    <Link to="/prayer" class="strip">
      <Icon name="prayer" />
      {next ? (
        <span class="strip-next">
          <strong>
            {next.name} {next.time}
          </strong>{" "}
          <span class="strip-countdown">
            {fill(common.inCountdown, { countdown: durationWords(next.epoch - nowSeconds, language) })}
          </span>
        </span>
      ) : (
        <span class="strip-next">{phrases.noPlace}</span>
      )}
      <span class="strip-hijri">{hijriWords(prayer.hijri, language)}</span>
    </Link>
  );
}
