import { useState } from "preact/hooks";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { UPLOAD_ADDRESS } from "../../app/library/upload-address.ts";
import { AdhanFile } from "../../app/prayer/adhan-file.tsx";
import { adhanPhrases } from "../../app/prayer/adhan-phrases.ts";
import { AdhanTest } from "../../app/prayer/adhan-test.tsx";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { RecordingHint } from "../../app/prayer/recording-hint.tsx";
import { Choice, Slider } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { Link, Panel } from "../../design/layout.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";
import { useSettingsChange } from "./use-settings.ts";

/** The adhan's sound, its volume, and what happens after it. */
export function AdhanPanel(panel: PanelProps) {
  const phrases = usePhrases(prayerPhrases);
  const adhan = usePhrases(adhanPhrases);
  const changeSettings = useSettingsChange();
  const { prayer, settings, change } = panel;
  const { path, fajr_path } = prayer.config.adhan;
  return (
    <Panel title={phrases.sound}>
      <div class="stack">
        <RecordingHint prayer={prayer}>
          <p>{adhan.getRecording}</p>
          <Link to={UPLOAD_ADDRESS} class="button">
            {adhan.toUpload}
          </Link>
        </RecordingHint>
        <ul class="rows">
          <AdhanFile
            label={adhan.file}
            dialogTitle={adhan.chooseFile}
            path={path}
            withoutFile={adhan.tone}
            onChoose={(chosen) => change({ adhan: { path: chosen } })}
          />
          <AdhanFile
            label={phrases.fajrFile}
            dialogTitle={phrases.chooseFajrFile}
            path={fajr_path}
            withoutFile={phrases.sameFile}
            onChoose={(chosen) => change({ adhan: { fajr_path: chosen } })}
          />
        </ul>
        <div class="actions">
          <Link to="/uploads/adhan" class="button button-plain">
            <Icon name="upload" />
            <span>{phrases.addAdhan}</span>
          </Link>
        </div>
        <Volume {...panel} />
        <AdhanTest />
        <Choice
          label={phrases.after}
          value={settings.after_adhan}
          options={[
            { value: "resume", label: phrases.afterResume },
            { value: "stay_paused", label: phrases.afterPaused },
          ]}
          onChange={(after_adhan) => changeSettings({ after_adhan })}
        />
      </div>
    </Panel>
  );
}

function Volume({ prayer, settings, change }: PanelProps) {
  const language = useLanguage();
  const phrases = usePhrases(prayerPhrases);
  const [dragged, setDragged] = useState<number>();
  const volume = dragged ?? prayer.config.adhan.volume;
  return (
    <Slider
      label={phrases.volume}
      hint={phrases.volumeHint}
      value={volume}
      min={0}
      max={settings.max_volume}
      valueText={volume === 0 ? phrases.volumeKept : fill(phrases.percent, { percent: numberWords(volume, language) })}
      onInput={setDragged}
      onChange={(value) => {
        setDragged(undefined);
        change({ adhan: { volume: value } });
      }}
    />
  );
}
