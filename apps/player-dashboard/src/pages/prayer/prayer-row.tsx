import type { Prayer } from "@player/service/contract/prayer";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { durationWords, wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { canBeCalled, isCalled, withCall } from "../../app/prayer/prayers.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Switch } from "../../design/fields.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";

interface PrayerRowProps extends PanelProps {
  name: Prayer;
  index: number;
}

export function PrayerRow({ prayer, settings, change, name, index }: PrayerRowProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const { prayers } = usePhrases(commonPhrases);
  const { enabled, prayer_mask } = prayer.config.adhan;
  const label = prayers[index] ?? name;
  const next = prayer.next?.name === name ? prayer.next : undefined;
  const time = prayer.times?.[name];
  const tomorrow = next?.tomorrow ? wallTimeWords(next.time, settings.time_format_24h, language) : undefined;
  const isCurrent = prayer.current === name;
  return (
    <li class={rowClass(next !== undefined, isCurrent)} aria-current={isCurrent ? "time" : undefined}>
      <div class="prayer-name">
        <strong>{label}</strong>
        {isCurrent && <span class="prayer-sign">{phrases.now}</span>}
        {next && <Countdown epoch={next.epoch} tomorrow={tomorrow} />}
      </div>
      <span class="prayer-time">{time && wallTimeWords(time, settings.time_format_24h, language)}</span>
      <span class="prayer-switch">
        {canBeCalled(index) && (
          <Switch
            label={fill(phrases.adhanFor, { prayer: label })}
            isOn={enabled && isCalled(prayer_mask, index)}
            disabled={!enabled}
            onChange={(isOn) => change({ adhan: { prayer_mask: withCall(prayer_mask, index, isOn) } })}
          />
        )}
      </span>
    </li>
  );
}

function rowClass(isNext: boolean, isCurrent: boolean): string {
  return ["prayer-row", isNext && "prayer-row-next", isCurrent && "prayer-row-now"].filter(Boolean).join(" ");
}

/** `tomorrow`: its time, when it is not one of today's. */
function Countdown({ epoch, tomorrow }: { epoch: number; tomorrow: string | undefined }) {
  const language = useLanguage();
  const { inCountdown } = usePhrases(commonPhrases);
  const { tomorrowIn } = usePhrases(prayerPhrases);
  const countdown = durationWords(epoch - useSeconds(), language);
  return (
    <span class="prayer-sign">
      {tomorrow === undefined ? fill(inCountdown, { countdown }) : fill(tomorrowIn, { time: tomorrow, countdown })}
    </span>
  );
}
