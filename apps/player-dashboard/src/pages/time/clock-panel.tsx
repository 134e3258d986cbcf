import type { SettingsBody } from "@player/service/contract/settings";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { nowMs } from "../../app/browser/clock.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { useChange } from "../../app/settings/use-change.ts";
import { dateWords, tickingWords } from "../../app/time/clock-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { phoneClockWords } from "./phone-clock.ts";
import { timePhrases } from "./time-phrases.ts";

export function ClockPanel(settings: SettingsBody) {
  const phrases = usePhrases(timePhrases);
  const { sources } = usePhrases(settingsPhrases);
  const language = useLanguage();
  const { time_source, rtc_temperature } = settings;
  return (
    <Panel title={phrases.clock}>
      <div class="stack">
        <Ticking {...settings} />
        <div>
          <p>{sources[time_source]}</p>
          {rtc_temperature !== undefined && (
            <p class="row-aside">{fill(phrases.chip, { temperature: numberWords(rtc_temperature, language) })}</p>
          )}
        </div>
        {time_source === "none" && <p class="news news-noted">{phrases.noClockWarning}</p>}
        <SetFromPhone />
      </div>
    </Panel>
  );
}

function Ticking(settings: SettingsBody) {
  const language = useLanguage();
  const seconds = useSeconds();
  return (
    <div class="ticking">
      <p class="ticking-time">{tickingWords(settings, seconds, language)}</p>
      <p>{dateWords(settings, seconds, language)}</p>
    </div>
  );
}

function SetFromPhone() {
  const { live, notices } = useApp();
  const phrases = usePhrases(timePhrases);
  const language = useLanguage();
  const change = useChange();
  useSeconds();

  async function set(): Promise<void> {
    const epoch = Math.round(nowMs() / 1000);
    const isSet = await change({ time: epoch, time_source: "manual" }, "/settings/time", { epoch });
    if (isSet) notices.show("done", phrases.wasSet);
  }

  return (
    <div class="stack">
      <p>{phoneClockWords(nowMs() - live.deviceNowMs(), phrases, language)}</p>
      <div class="actions">
        <Button icon="phone" needsToken onClick={() => void set()}>
          {phrases.setFromPhone}
        </Button>
      </div>
      <p class="row-aside">{phrases.setFromPhoneHint}</p>
    </div>
  );
}
