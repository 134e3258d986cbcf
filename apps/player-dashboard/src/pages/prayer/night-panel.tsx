import { useLanguage, usePhrases } from "../../app/app.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { Panel } from "../../design/layout.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";

export function NightPanel({ prayer: { extra }, settings }: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const rows = [
    { label: phrases.midnight, hint: phrases.midnightHint, time: extra.midnight },
    { label: phrases.lastThird, hint: phrases.lastThirdHint, time: extra.last_third },
    { label: phrases.imsak, hint: phrases.imsakHint, time: extra.imsak },
  ];
  return (
    <Panel title={phrases.night}>
      <ul class="rows">
        {rows.map(({ label, hint, time }) => (
          <li key={label}>
            <span class="row-words">
              <strong>{label}</strong>
              <span class="row-aside">{hint}</span>
            </span>
            <span class="prayer-time">{time && wallTimeWords(time, settings.time_format_24h, language)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
