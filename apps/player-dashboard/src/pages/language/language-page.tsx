import type { SettingsBody } from "@player/service/contract/settings";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { LANGUAGE_NAMES, type Language } from "../../app/language/language.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { BRIGHTEST, brightnessPercent } from "../../app/settings/brightness.ts";
import { minutesOptions } from "../../app/settings/minutes-options.ts";
import { SettingSlider } from "../../app/settings/setting-slider.tsx";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { useChange } from "../../app/settings/use-change.ts";
import { Button } from "../../design/button.tsx";
import { Choice, SelectField, TextField } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { languagePhrases } from "./language-phrases.ts";

const USUAL_OFF_MINUTES = [5, 15, 30, 60, 120, 240];

export function LanguagePage() {
  const { live } = useApp();
  const { language } = usePhrases(settingsPhrases);
  const settings = live.settings.view.value;
  return (
    <Subpage title={language}>
      {settings ? (
        <div class="panels panels-two">
          <SpokenPanel {...settings} />
          <NamePanel {...settings} />
          <ScreenPanel {...settings} />
        </div>
      ) : (
        <div class="waiting waiting-tall" aria-busy="true" />
      )}
    </Subpage>
  );
}

function SpokenPanel({ language }: Pick<SettingsBody, "language">) {
  const { choice } = useApp();
  const change = useChange();
  const phrases = usePhrases(languagePhrases);
  const speak = async (wanted: Language) => {
    if (await change({ language: wanted })) choice.speak(wanted);
  };
  return (
    <Panel>
      <Choice
        label={phrases.speaks}
        hint={phrases.speaksHint}
        value={language}
        options={[
          { value: "en", label: LANGUAGE_NAMES.en },
          { value: "ar", label: LANGUAGE_NAMES.ar },
        ]}
        onChange={(wanted) => void speak(wanted)}
      />
    </Panel>
  );
}

function NamePanel({ device_name }: Pick<SettingsBody, "device_name">) {
  const { notices } = useApp();
  const change = useChange();
  const phrases = usePhrases(languagePhrases);
  const [typed, setTyped] = useState<string>();
  const name = typed ?? device_name;
  const isEmpty = name.trim() === "";

  async function save(): Promise<void> {
    if (isEmpty || !(await change({ device_name: name.trim() }))) return;
    setTyped(undefined);
    notices.show("done", phrases.nameSaved);
  }

  return (
    <Panel>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label={phrases.name}
          hint={phrases.nameHint}
          value={name}
          maxLength={32}
          error={isEmpty ? phrases.nameEmpty : undefined}
          onInput={setTyped}
        />
        <div class="actions">
          <Button type="submit" kind="primary" needsToken disabled={isEmpty || name === device_name}>
            {phrases.save}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function ScreenPanel({ brightness, auto_off_minutes }: Pick<SettingsBody, "brightness" | "auto_off_minutes">) {
  const change = useChange();
  const language = useLanguage();
  const phrases = usePhrases(languagePhrases);
  const { percent } = usePhrases(settingsPhrases);
  const words = { zero: phrases.never, minutes: phrases.minutes, hours: phrases.hours };
  const formatPercent = (value: number) => numberWords(brightnessPercent({ brightness: value }), language);
  return (
    <Panel title={phrases.screen}>
      <div class="stack">
        <SettingSlider
          label={phrases.brightness}
          value={brightness}
          min={0}
          max={BRIGHTEST}
          formatValue={(value) => fill(percent, { percent: formatPercent(value) })}
          save={(value) => change({ brightness: value }, "/settings/brightness")}
        />
        <SelectField
          label={phrases.autoOff}
          hint={phrases.autoOffHint}
          value={String(auto_off_minutes)}
          options={minutesOptions(USUAL_OFF_MINUTES, auto_off_minutes, words, language)}
          onChange={(minutes) => void change({ auto_off_minutes: Number(minutes) }, "/settings/auto-off")}
        />
      </div>
    </Panel>
  );
}
