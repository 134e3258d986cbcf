import type { PrayerBody } from "@player/service/contract/prayer";
import { Button } from "../../design/button.tsx";
import { Icon, type IconName } from "../../design/icons.tsx";
import { Panel } from "../../design/layout.tsx";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { counted, numberWords } from "../language/numbers.ts";
import { shellPhrases } from "../language/shell-phrases.ts";
import { wallTimeWords } from "../language/times.ts";
import { fill } from "../language/translations.ts";
import { offsetOfRule, ruleOfZone, zoneOfBrowser } from "../places/zones.ts";
import { dateWords, daysBetween } from "./month.ts";
import type { PanelProps } from "./panel-props.ts";
import { prayerPhrases } from "./prayer-phrases.ts";
import { type Mark, type TrustPoint, trustPoints, verdictOf } from "./trust.ts";

const SIGNS: Readonly<Record<Mark, IconName>> = { good: "check", noted: "warning", bad: "close" };

/** Whether the adhan can be relied upon, and why. */
export function TrustPanel(panel: PanelProps) {
  const phrases = usePhrases(prayerPhrases);
  const { prayer, settings } = panel;
  const all = useTrust(panel);
  const points = all.filter(({ say }) => say !== "adhanOff");
  return (
    <Panel title={phrases.trust}>
      <Verdict {...panel} mark={verdictOf(all)} />
      <TrustPoints points={points} rule={settings.timezone} />
      <Upcoming upcoming={prayer.extra.upcoming} today={prayer.date} is24h={settings.time_format_24h} />
    </Panel>
  );
}

function Verdict({ prayer, change, mark }: PanelProps & { mark: Mark }) {
  const phrases = usePhrases(prayerPhrases);
  const isOn = prayer.config.adhan.enabled;
  const shown = isOn ? mark : "noted";
  return (
    <div class={`verdict verdict-${shown}`} role="status">
      <MarkSign mark={shown} />
      <strong>{isOn ? phrases.verdict[mark] : phrases.verdictOff}</strong>
      {!isOn && (
        <Button needsToken onClick={() => change({ adhan: { enabled: true } })}>
          {phrases.switchOn}
        </Button>
      )}
    </div>
  );
}

export function useTrust({ prayer, settings }: PanelProps): TrustPoint[] {
  const { live } = useApp();
  return trustPoints({
    prayer,
    settings,
    battery: live.battery.value,
    volume: live.playback.view.value?.volume ?? settings.volume,
    browserRule: ruleOfZone(zoneOfBrowser()),
  });
}

/** `rule`: the time zone of the player. */
export function TrustPoints({ points, rule }: { points: readonly TrustPoint[]; rule: string }) {
  return (
    <ul class="trust-points">
      {points.map((point) => (
        <Point key={point.say} point={point} rule={rule} />
      ))}
    </ul>
  );
}

function Point({ point: { mark, say, value = 0 }, rule }: { point: TrustPoint; rule: string }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  return (
    <li class={`trust-point trust-${mark}`}>
      <MarkSign mark={mark} />
      <span>
        <span class="only-heard">{phrases.marks[mark]}: </span>
        {fill(phrases.points[say], {
          value: numberWords(value, language),
          minutes: counted(value, phrases.minutesForms, language),
          zone: offsetOfRule(rule, live.deviceNowMs()),
        })}
      </span>
    </li>
  );
}

function MarkSign({ mark }: { mark: Mark }) {
  return (
    <span class="mark-sign">
      <Icon name={SIGNS[mark]} />
    </span>
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
  const { prayers } = usePhrases(shellPhrases);
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
