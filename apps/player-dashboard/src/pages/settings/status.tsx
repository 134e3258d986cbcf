import type { SystemBody } from "@player/service/contract/system";
import type { ComponentChildren } from "preact";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { startUpWords } from "../../app/system/start-up-words.ts";
import { clockWords } from "../../app/time/clock-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Icon, type IconName } from "../../design/icons.tsx";
import { Link } from "../../design/layout.tsx";
import { Mark } from "../../design/mark.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

export function Status({ system }: { system: SystemBody | undefined }) {
  const { live } = useApp();
  const phrases = usePhrases(overviewPhrases);
  const settings = live.settings.view.value;
  if (!settings) return <div class="waiting waiting-tall" aria-busy="true" />;
  return (
    <section class="status" aria-labelledby="status-name">
      <Mark />
      <h2 id="status-name" class="status-name">
        <bdi>{settings.device_name}</bdi>
      </h2>
      <p class="status-version">{fill(phrases.version, { version: live.version.value })}</p>
      <dl class="status-facts">
        <NetworkFact />
        <ClockFact />
        <BatteryFact />
      </dl>
      {system && <Troubles system={system} />}
    </section>
  );
}

function Fact({ icon, name, children }: { icon: IconName; name: string; children: ComponentChildren }) {
  return (
    <div class="status-fact">
      <dt>
        <Icon name={icon} />
        <span class="screen-reader-only">{name}</span>
      </dt>
      <dd class="row-words">{children}</dd>
    </div>
  );
}

function NetworkFact() {
  const { live } = useApp();
  const phrases = usePhrases(overviewPhrases);
  const settings = live.settings.view.value;
  const isIn = settings?.wifi_connected === true;
  return (
    <Fact icon="wifi" name={phrases.network}>
      <span class="status-value">
        <bdi>{isIn ? settings.ssid : phrases.noNetwork}</bdi>
      </span>
      <span class="status-aside">{isIn ? settings.ip : phrases.noNetworkHint}</span>
    </Fact>
  );
}

function ClockFact() {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(overviewPhrases);
  const { sources } = usePhrases(settingsPhrases);
  const seconds = useSeconds();
  const settings = live.settings.view.value;
  if (!settings) return null;
  return (
    <Fact icon="clock" name={phrases.clock}>
      {settings.time_source !== "none" && <span class="status-value">{clockWords(settings, seconds, language)}</span>}
      <span class="status-aside">{sources[settings.time_source]}</span>
    </Fact>
  );
}

function BatteryFact() {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(overviewPhrases);
  const battery = live.battery.value;
  if (!battery?.present) return null;
  const percent = numberWords(battery.percentage, language);
  return (
    <Fact icon="battery" name={phrases.battery}>
      <span class="status-value">{fill(battery.charging ? phrases.charging : phrases.onBattery, { percent })}</span>
      <span class="status-aside">{phrases.battery}</span>
    </Fact>
  );
}

/** Failed parts and warnings; renders nothing when there are none. */
function Troubles({ system }: { system: SystemBody }) {
  const { lookInto } = usePhrases(overviewPhrases);
  const language = useLanguage();
  if (system.boot_failures.length + system.warnings.length === 0) return null;
  return (
    <div class="status-trouble">
      <Icon name="warning" />
      <div class="row-words">
        <strong>{startUpWords(system, language)}</strong>
        {system.warnings.map((warning) => (
          <span key={warning}>
            <bdi>{warning}</bdi>
          </span>
        ))}
      </div>
      <Link to="/settings/diagnostics" class="button button-quiet">
        {lookInto}
      </Link>
    </div>
  );
}
