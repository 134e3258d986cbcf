import type { SettingsBody } from "@player/service/contract/settings";
import type { SystemBody } from "@player/service/contract/system";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { updateStatusPhrases } from "../../app/firmware/update-status-phrases.ts";
import { LANGUAGE_NAMES } from "../../app/language/language.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { brightnessPercent } from "../../app/settings/brightness.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { startUpWords } from "../../app/system/start-up-words.ts";
import { clockWords } from "../../app/time/clock-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Icon, type IconName } from "../../design/icons.tsx";
import { Link, Panel } from "../../design/layout.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

type Section =
  | "wifi"
  | "sound"
  | "time"
  | "language"
  | "update"
  | "diagnostics"
  | "backup"
  | "monitoring"
  | "install"
  | "reset";

const SECTIONS: readonly { name: Section; icon: IconName }[] = [
  { name: "wifi", icon: "wifi" },
  { name: "sound", icon: "volume" },
  { name: "time", icon: "clock" },
  { name: "language", icon: "globe" },
  { name: "update", icon: "download" },
  { name: "diagnostics", icon: "screen" },
  { name: "backup", icon: "archive" },
  { name: "monitoring", icon: "lock" },
  { name: "install", icon: "phone" },
  { name: "reset", icon: "power" },
];

/** Every section with its current value. */
export function SectionList({ system }: { system: SystemBody | undefined }) {
  const names = usePhrases(settingsPhrases);
  const { sections } = usePhrases(overviewPhrases);
  const lines = useLines(system);
  return (
    <Panel title={sections}>
      <ul class="rows sections">
        {SECTIONS.map(({ name, icon }) => (
          <li key={name}>
            <Link to={`/settings/${name}`} class="section-link">
              <span class="section-sign">
                <Icon name={icon} />
              </span>
              <span class="row-words">
                <strong class="section-name">{names[name]}</strong>
                <span class="row-aside">
                  <bdi>{lines[name]}</bdi>
                </span>
              </span>
              <Icon name="forward" />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useLines(system: SystemBody | undefined): Readonly<Record<Section, string>> {
  const { live } = useApp();
  const language = useLanguage();
  const seconds = useSeconds();
  const phrases = usePhrases(overviewPhrases);
  const { statuses } = usePhrases(updateStatusPhrases);
  const settings = live.settings.view.value;
  const ota = live.ota.value;
  const ofSettings = (line: (settings: SettingsBody) => string) => (settings ? line(settings) : "");
  return {
    wifi: ofSettings(({ ssid, wifi_connected }) => (wifi_connected ? ssid : phrases.noNetwork)),
    sound: ofSettings(({ max_volume }) =>
      max_volume === 100 ? phrases.loudest : fill(phrases.soundLine, { percent: numberWords(max_volume, language) }),
    ),
    time: ofSettings((clock) => clockWords(clock, seconds, language)),
    language: ofSettings((screen) =>
      fill(phrases.languageLine, {
        language: isolated(LANGUAGE_NAMES[screen.language]),
        percent: numberWords(brightnessPercent(screen), language),
      }),
    ),
    update:
      ota && ota.status !== "idle"
        ? statuses[ota.status].title
        : fill(phrases.version, { version: live.version.value }),
    diagnostics: system ? startUpWords(system, language) : phrases.diagnosticsLine,
    backup: phrases.backupLine,
    monitoring: phrases.monitoringLine,
    install: phrases.installLine,
    reset: phrases.resetLine,
  };
}
