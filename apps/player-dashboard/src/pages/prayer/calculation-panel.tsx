import { useLanguage, usePhrases } from "../../app/app.ts";
import { signedWords } from "../../app/language/signed.ts";
import { fill } from "../../app/language/translations.ts";
import { adhanPhrases } from "../../app/prayer/adhan-phrases.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { methodWords } from "../../app/prayer/suggestion-words.ts";
import { Choice, SelectField, Stepper } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";
import { useSettingsChange } from "./use-settings.ts";

const RULES = ["auto", "middle_of_the_night", "seventh_of_the_night", "twilight_angle"] as const;
/** Above this latitude the device chooses another rule. */
const HIGH_LATITUDE = 48;

export function CalculationPanel(panel: PanelProps) {
  const { prayer, settings, change } = panel;
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const adhan = usePhrases(adhanPhrases);
  const changeSettings = useSettingsChange();
  return (
    <Panel title={phrases.calculation}>
      <div class="stack">
        <SelectField
          label={phrases.method}
          value={String(prayer.config.method)}
          options={adhan.methods.map((label, method) => ({ value: String(method), label }))}
          hint={methodWords(prayer.config.method, language)}
          onChange={(method) => change({ method: Number(method) })}
        />
        <Choice
          label={phrases.asr}
          hint={phrases.asrHint}
          value={prayer.config.asr_hanafi ? "hanafi" : "standard"}
          options={[
            { value: "standard", label: adhan.asrStandard },
            { value: "hanafi", label: adhan.asrHanafi },
          ]}
          onChange={(school) => change({ asr_hanafi: school === "hanafi" })}
        />
        <SelectField
          label={phrases.highLatitude}
          hint={useRuleWords(panel)}
          value={settings.high_latitude}
          options={RULES.map((value) => ({ value, label: phrases.highLatitudes[value] }))}
          onChange={(high_latitude) => changeSettings({ high_latitude })}
        />
        <Stepper
          label={phrases.hijriAdjust}
          hint={phrases.hijriAdjustHint}
          value={settings.hijri_adjust}
          min={-2}
          max={2}
          valueText={signedWords(settings.hijri_adjust, language)}
          onChange={(hijri_adjust) => changeSettings({ hijri_adjust })}
        />
      </div>
    </Panel>
  );
}

/** Which rule is in use, and why. */
function useRuleWords({ prayer: { config, extra }, settings }: PanelProps): string | undefined {
  const phrases = usePhrases(prayerPhrases);
  const rule = extra.high_latitude_rule;
  if (!rule) return undefined;
  const inForce = fill(phrases.ruleInForce, { rule: phrases.highLatitudes[rule] });
  const isFar = Math.abs(config.lat ?? 0) > HIGH_LATITUDE;
  const byPlace = isFar ? phrases.whyFar : phrases.whyNear;
  const why = settings.high_latitude === "auto" ? byPlace : phrases.whyChosen;
  return [inForce, why, extra.high_latitude_applied && phrases.whyNearest].filter(Boolean).join(" ");
}
