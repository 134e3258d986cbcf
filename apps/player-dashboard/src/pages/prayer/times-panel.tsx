import { useState } from "preact/hooks";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { signedWords } from "../../app/language/signed.ts";
import { fill } from "../../app/language/translations.ts";
import { hijriWords } from "../../app/prayer/hijri-words.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { PRAYERS, withOffset } from "../../app/prayer/prayers.ts";
import { Button } from "../../design/button.tsx";
import { Stepper, Switch } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { dateWords } from "./month.ts";
import { prayerPhrases } from "./prayer-phrases.ts";
import { PrayerRow } from "./prayer-row.tsx";

/** The six times of today, and which of them are called. */
export function TimesPanel(panel: PanelProps) {
  const { prayer, change } = panel;
  const phrases = usePhrases(prayerPhrases);
  const [isAdjusting, setAdjusting] = useState(false);
  const { enabled } = prayer.config.adhan;
  return (
    <Panel>
      <Dates {...panel} />
      <Switch
        label={phrases.adhan}
        hint={phrases.adhanHint}
        isOn={enabled}
        needsToken
        onChange={(isOn) => change({ adhan: { enabled: isOn } })}
      />
      <ol class="prayer-rows">
        {PRAYERS.map((name, index) => (
          <PrayerRow key={name} {...panel} name={name} index={index} />
        ))}
      </ol>
      {isAdjusting && <Offsets {...panel} />}
      <div class="prayer-adjust">
        <Button kind="quiet" icon={isAdjusting ? "check" : "edit"} onClick={() => setAdjusting(!isAdjusting)}>
          {isAdjusting ? phrases.adjustDone : phrases.adjust}
        </Button>
      </div>
    </Panel>
  );
}

function Dates({ prayer: { date, hijri } }: PanelProps) {
  const language = useLanguage();
  const { today } = usePhrases(prayerPhrases);
  return (
    <div class="prayer-dates">
      <h2 class="panel-title">
        <span class="screen-reader-only">{today}: </span>
        {dateWords(date, { weekday: "long", day: "numeric", month: "long" }, language)}
      </h2>
      <p>{hijriWords(hijri, language)}</p>
    </div>
  );
}

const MAX_MINUTES = 720;

function Offsets({ prayer: { config }, change }: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const { prayers } = usePhrases(commonPhrases);
  return (
    <div class="prayer-offsets">
      <p class="field-hint">{phrases.adjustHint}</p>
      {config.offsets_min.map((minutes, index) => (
        <Stepper
          key={PRAYERS[index]}
          label={prayers[index] ?? ""}
          value={minutes}
          min={-MAX_MINUTES}
          max={MAX_MINUTES}
          valueText={fill(phrases.minutes, { minutes: signedWords(minutes, language) })}
          onChange={(value) => change({ offsets_min: withOffset(config.offsets_min, index, value) })}
        />
      ))}
    </div>
  );
}
