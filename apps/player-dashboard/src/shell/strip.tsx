import { useApp, useLanguage, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { durationWords, formatDigits, wallTimeWords } from "../app/language/times.ts";
import { fill } from "../app/language/translations.ts";
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
  const prayer = live.prayer.value;
  if (!prayer) return <div class="strip" />;
  const { next, hijri } = prayer;
  return (
    <Link to="/prayer" class="strip">
      <Icon name="prayer" />
      {next ? (
        <span class="strip-next">
          <strong>
            {fill(phrases.nextPrayer, {
              prayer: common.prayers[next.index] ?? next.name,
              time: wallTimeWords(next.time, live.settings.view.value?.time_format_24h ?? true, language),
            })}
          </strong>{" "}
          <span class="strip-countdown">
            {fill(common.inCountdown, { countdown: durationWords(next.epoch - nowSeconds, language) })}
          </span>
        </span>
      ) : (
        <span class="strip-next">{phrases.noPlace}</span>
      )}
      <span class="strip-hijri">
        {fill(common.hijri, {
          day: formatDigits(String(hijri.day), language),
          month: language === "ar" ? hijri.month_name_ar : hijri.month_name,
          year: formatDigits(String(hijri.year), language),
        })}
      </span>
    </Link>
  );
}
