import type { SettingsBody } from "@player/service/contract/settings";
import { useApp, usePhrases } from "../../app/app.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { useChange } from "../../app/settings/use-change.ts";
import { Choice } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { ClockPanel } from "./clock-panel.tsx";
import { timePhrases } from "./time-phrases.ts";
import { ZonePanel } from "./zone-panel.tsx";
import "./time.css";

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
