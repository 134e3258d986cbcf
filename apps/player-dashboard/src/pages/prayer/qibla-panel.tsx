import { useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { Panel } from "../../design/layout.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";
import { findWind, kaabaKm } from "./qibla.ts";

export function QiblaPanel({ prayer: { config, extra } }: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const { lat, lng } = config;
  const degrees = extra.qibla_deg;
  if (degrees === null || lat === undefined || lng === undefined) return null;
  return (
    <Panel title={phrases.qibla}>
      <div class="qibla">
        <Compass degrees={degrees} letters={phrases.letters} />
        <div>
          <p class="qibla-words">
            {fill(phrases.qiblaWords, {
              degrees: numberWords(Math.round(degrees), language),
              wind: phrases.winds[findWind(degrees)] ?? "",
            })}
          </p>
          <p class="row-aside">{fill(phrases.qiblaDistance, { km: numberWords(kaabaKm({ lat, lng }), language) })}</p>
        </div>
      </div>
    </Panel>
  );
}

const TICKS = Array.from({ length: 24 }, (_, index) => index * 15);

/** North is up in both languages. The text next to it says the same. */
function Compass({ degrees, letters }: { degrees: number; letters: readonly string[] }) {
  return (
    <svg class="compass" viewBox="-106 -106 212 212" aria-hidden="true">
      <circle class="compass-ground" r="96" />
      {TICKS.map((angle) => (
        <line
          key={angle}
          class={angle % 90 === 0 ? "compass-tick compass-tick-main" : "compass-tick"}
          y1="-94"
          y2={angle % 90 === 0 ? -84 : -88}
          transform={`rotate(${angle})`}
        />
      ))}
      {letters.map((letter, index) => {
        const angle = (index * Math.PI) / 2;
        return (
          <text key={letter} class="compass-letter" x={70 * Math.sin(angle)} y={-70 * Math.cos(angle)}>
            {letter}
          </text>
        );
      })}
      <g transform={`rotate(${degrees})`}>
        <path class="compass-needle" d="M0-52 9 0 0 8-9 0z" />
        <path class="compass-tail" d="M0 46 6 0 0-6-6 0z" />
        <rect class="compass-kaaba" x="-8" y="-104" width="16" height="16" rx="2" />
        <path class="compass-band" d="M-8-99h16" />
      </g>
      <circle class="compass-pin" r="5" />
    </svg>
  );
}
