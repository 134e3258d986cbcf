import { Icon, type IconName } from "../../design/icons.tsx";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { counted, numberWords } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import { findZoneRule, formatRuleOffset, readBrowserZone } from "../places/zones.ts";
import { useSound } from "../system/use-sound.ts";
import { adhanPhrases } from "./adhan-phrases.ts";
import type { PanelProps } from "./panel-props.ts";
import { type Mark, type TrustPoint, trustPoints } from "./trust.ts";
import "./trust-points.css";

const SIGNS: Readonly<Record<Mark, IconName>> = { good: "check", noted: "warning", bad: "close" };

/** Undefined until the device has said whether its sound output works. */
export function useTrust({ prayer, settings }: PanelProps): TrustPoint[] | undefined {
  const { live } = useApp();
  const sound = useSound();
  if (sound === undefined) return undefined;
  return trustPoints({
    sound,
    prayer,
    settings,
    battery: live.battery.value,
    volume: live.playback.view.value?.volume ?? settings.volume,
    browserRule: findZoneRule(readBrowserZone()),
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
  const phrases = usePhrases(adhanPhrases);
  return (
    <li class={`trust-point trust-${mark}`}>
      <MarkSign mark={mark} />
      <span>
        <span class="screen-reader-only">{phrases.marks[mark]}: </span>
        {fill(phrases.points[say], {
          value: numberWords(value, language),
          minutes: counted(value, phrases.minutesForms, language),
          zone: formatRuleOffset(rule, live.deviceNowMs()),
        })}
      </span>
    </li>
  );
}

export function MarkSign({ mark }: { mark: Mark }) {
  return (
    <span class="mark-sign">
      <Icon name={SIGNS[mark]} />
    </span>
  );
}
