import type { PrayerBody } from "@player/service/contract/prayer";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { isOnlyTone, type Mark, verdictOf } from "../../app/prayer/trust.ts";
import { MarkSign, TrustPoints, useTrust } from "../../app/prayer/trust-points.tsx";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { dateWords, daysBetween } from "./month.ts";
import { prayerPhrases } from "./prayer-phrases.ts";

/** Whether the next adhan will play, and why. */
export function TrustPanel(panel: PanelProps) {
  const phrases = usePhrases(prayerPhrases);
  const { prayer, settings } = panel;
  const all = useTrust(panel);
  if (!all) {
    return (
      <Panel title={phrases.trust}>
        <div class="waiting waiting-tall" aria-busy="true" />
      </Panel>
    );
  }
  const points = all.filter(({ say }) => say !== "adhanOff");
  return (
    <Panel title={phrases.trust}>
      <Verdict {...panel} mark={verdictOf(all)} isOnlyTone={isOnlyTone(all)} />
      <TrustPoints points={points} rule={settings.timezone} />
      <Upcoming upcoming={prayer.extra.upcoming} today={prayer.date} is24h={settings.time_format_24h} />
    </Panel>
  );
}

function Verdict({ prayer, change, mark, isOnlyTone: isTone }: PanelProps & { mark: Mark; isOnlyTone: boolean }) {
  const phrases = usePhrases(prayerPhrases);
  const isOn = prayer.config.adhan.enabled;
  const shown = isOn ? mark : "noted";
  const verdict = mark === "noted" && isTone ? phrases.verdictTone : phrases.verdict[mark];
  return (
    <div class={`verdict verdict-${shown}`} role="status">
      <MarkSign mark={shown} />
      <strong>{isOn ? verdict : phrases.verdictOff}</strong>
      {!isOn && (
        <Button needsToken onClick={() => change({ adhan: { enabled: true } })}>
          {phrases.switchOn}
        </Button>
      )}
    </div>
  );
}

interface UpcomingProps {
  upcoming: PrayerBody["extra"]["upcoming"];
  today: string;
  is24h: boolean;
}

function Upcoming({ upcoming, today, is24h }: UpcomingProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const { prayers } = usePhrases(commonPhrases);
  if (upcoming.length === 0) return null;
  const forms = [phrases.todayAt, phrases.tomorrowAt];
  return (
    <>
      <h3 class="trust-upcoming">{phrases.upcoming}</h3>
      <ul class="upcoming">
        {upcoming.map(({ index, name, date, time, epoch }) => (
          <li key={epoch}>
            <strong>{prayers[index] ?? name}</strong>
            <span>
              {fill(forms[daysBetween(today, date)] ?? phrases.dayAt, {
                day: dateWords(date, { weekday: "long" }, language),
                time: wallTimeWords(time, is24h, language),
              })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
