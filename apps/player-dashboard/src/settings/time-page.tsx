import type { SettingsBody } from "@player/service/contract/settings";
import { Choice } from "../controls/fields.tsx";
import { Panel } from "../controls/layout.tsx";
import { useApp, usePhrases } from "../shell/app.ts";
import { ClockPanel } from "./clock-panel.tsx";
import { settingsPhrases } from "./settings-phrases.ts";
import { Subpage } from "./subpage.tsx";
import { timePhrases } from "./time-phrases.ts";
import { useChange } from "./use-change.ts";
import { ZonePanel } from "./zone-panel.tsx";

export function TimePage() {
  const { live } = useApp();
  const { time } = usePhrases(settingsPhrases);
  const settings = live.settings.view.value;
  return (
    <Subpage title={time}>
      {settings ? (
        <div class="panels panels-two">
          <ClockPanel {...settings} />
          <div class="panels">
            <ZonePanel timezone={settings.timezone} />
            <FormPanel {...settings} />
          </div>
        </div>
      ) : (
        <div class="waiting waiting-tall" aria-busy="true" />
      )}
    </Subpage>
  );
}

function FormPanel({ time_format_24h }: Pick<SettingsBody, "time_format_24h">) {
  const change = useChange();
  const phrases = usePhrases(timePhrases);
  return (
    <Panel>
      <Choice
        label={phrases.form}
        value={time_format_24h ? "24" : "12"}
        options={[
          { value: "12", label: phrases.twelve },
          { value: "24", label: phrases.twentyFour },
        ]}
        onChange={(hours) => void change({ time_format_24h: hours === "24" }, "/settings/time-format")}
      />
    </Panel>
  );
}
