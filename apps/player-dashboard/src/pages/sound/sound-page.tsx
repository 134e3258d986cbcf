import type { SettingsBody } from "@player/service/contract/settings";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { minutesOptions } from "../../app/settings/minutes-options.ts";
import { SettingSlider } from "../../app/settings/setting-slider.tsx";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { useChange } from "../../app/settings/use-change.ts";
import { Choice, SelectField, Switch } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { soundPhrases } from "./sound-phrases.ts";

const USUAL_RETRY_MINUTES = [5, 15, 30, 60, 240];

export function SoundPage() {
  const { live } = useApp();
  const { sound } = usePhrases(settingsPhrases);
  const settings = live.settings.view.value;
  return (
    <Subpage title={sound}>
      {settings ? (
        <div class="panels panels-two">
          <VolumePanel {...settings} />
          <CardsPanel {...settings} />
          <PowerPanel {...settings} />
          <RadioPanel {...settings} />
        </div>
      ) : (
        <div class="waiting waiting-tall" aria-busy="true" />
      )}
    </Subpage>
  );
}

function VolumePanel({ max_volume }: Pick<SettingsBody, "max_volume">) {
  const change = useChange();
  const language = useLanguage();
  const phrases = usePhrases(soundPhrases);
  const { percent } = usePhrases(settingsPhrases);
  return (
    <Panel title={phrases.volume}>
      <SettingSlider
        label={phrases.maxVolume}
        hint={phrases.maxVolumeHint}
        value={max_volume}
        min={0}
        max={100}
        step={5}
        formatValue={(value) => fill(percent, { percent: numberWords(value, language) })}
        save={(value) => change({ max_volume: value })}
      />
    </Panel>
  );
}

function CardsPanel({ card_removal }: Pick<SettingsBody, "card_removal">) {
  const change = useChange();
  const phrases = usePhrases(soundPhrases);
  const { removals } = phrases;
  return (
    <Panel title={phrases.lifting}>
      <Choice
        label={phrases.liftingLabel}
        hint={phrases.liftingHint}
        value={card_removal}
        options={[
          { value: "continue", label: removals.continue },
          { value: "pause", label: removals.pause },
          { value: "stop", label: removals.stop },
        ]}
        onChange={(policy) => void change({ card_removal: policy }, "/settings/card-removal", { policy })}
      />
    </Panel>
  );
}

function PowerPanel({ auto_resume }: Pick<SettingsBody, "auto_resume">) {
  const change = useChange();
  const phrases = usePhrases(soundPhrases);
  return (
    <Panel title={phrases.power}>
      <Switch
        label={phrases.autoResume}
        hint={phrases.autoResumeHint}
        isOn={auto_resume}
        needsToken
        onChange={(enabled) => void change({ auto_resume: enabled }, "/settings/auto-resume", { enabled })}
      />
    </Panel>
  );
}

function RadioPanel({
  stream_retry_min,
  allow_private_streams,
}: Pick<SettingsBody, "stream_retry_min" | "allow_private_streams">) {
  const change = useChange();
  const language = useLanguage();
  const phrases = usePhrases(soundPhrases);
  const words = { zero: phrases.forever, minutes: phrases.retryMinutes, hours: phrases.retryHours };
  return (
    <Panel title={phrases.radio}>
      <div class="stack">
        <SelectField
          label={phrases.retry}
          hint={phrases.retryHint}
          value={String(stream_retry_min)}
          options={minutesOptions(USUAL_RETRY_MINUTES, stream_retry_min, words, language)}
          onChange={(minutes) => void change({ stream_retry_min: Number(minutes) })}
        />
        <Switch
          label={phrases.privateStreams}
          hint={phrases.privateStreamsHint}
          isOn={allow_private_streams}
          needsToken
          onChange={(isOn) => void change({ allow_private_streams: isOn })}
        />
        {allow_private_streams && <p class="news news-noted">{phrases.privateWarning}</p>}
      </div>
    </Panel>
  );
}
