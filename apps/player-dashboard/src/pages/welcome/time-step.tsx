import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { nowMs } from "../../app/browser/clock.ts";
import { wallTimeWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { findZoneRule, formatRuleOffset, readBrowserZone } from "../../app/places/zones.ts";
import { clockWords } from "../../app/time/clock-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Button } from "../../design/button.tsx";
import { Choice } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { isSameTime } from "./device-time.ts";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function TimeStep({ onNext, onBack }: StepProps) {
  const { live } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const settings = live.settings.view.value;
  return (
    <StepFrame title={phrases.timeTitle} onBack={onBack} onNext={onNext}>
      {settings && (
        <>
          <DeviceClock rule={settings.timezone} is24h={settings.time_format_24h} />
          <ZoneQuestion rule={settings.timezone} />
          <ClockStyle is24h={settings.time_format_24h} />
        </>
      )}
    </StepFrame>
  );
}

function DeviceClock({ rule, is24h }: { rule: string; is24h: boolean }) {
  const { api, commands } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(welcomePhrases);
  const seconds = useSeconds();
  const isRight = isSameTime(seconds, nowMs());
  const takeTime = () => void commands.run(() => api.post("/settings/time", { epoch: Math.round(nowMs() / 1000) }));
  return (
    <div class="guide-clock">
      <p class="row-aside">{phrases.timeOfPlayer}</p>
      <p class="guide-time">{clockWords({ timezone: rule, time_format_24h: is24h }, seconds, language)}</p>
      <p class={isRight ? "guide-well" : "guide-noted"}>
        <Icon name={isRight ? "check" : "warning"} /> {isRight ? phrases.timeRight : phrases.timeWrong}
      </p>
      {!isRight && (
        <Button kind="primary" needsToken onClick={takeTime}>
          {phrases.takeTime}
        </Button>
      )}
    </div>
  );
}

/** Only when the zones differ: the player may be in another country. */
function ZoneQuestion({ rule }: { rule: string }) {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const phoneRule = findZoneRule(readBrowserZone());
  if (phoneRule === undefined || phoneRule === rule) return null;
  const atMs = live.deviceNowMs();
  const timezone = phoneRule;
  const takeZone = () =>
    void commands.run(() => live.settings.attempt({ timezone }, () => api.post("/settings/timezone", { timezone })));
  return (
    <div class="guide-clock">
      <p>
        {fill(phrases.zoneDiffers, { player: formatRuleOffset(rule, atMs), phone: formatRuleOffset(phoneRule, atMs) })}
      </p>
      <Button needsToken onClick={takeZone}>
        {phrases.takeZone}
      </Button>
    </div>
  );
}

function ClockStyle({ is24h }: { is24h: boolean }) {
  const { api, live, commands } = useApp();
  const language = useLanguage();
  const { clockStyle } = usePhrases(welcomePhrases);
  const change = (time_format_24h: boolean) =>
    void commands.run(() =>
      live.settings.attempt({ time_format_24h }, () => api.post("/settings/time-format", { time_format_24h })),
    );
  return (
    <Choice
      label={clockStyle}
      value={is24h ? "24" : "12"}
      options={[
        { value: "12", label: wallTimeWords("17:42", false, language) },
        { value: "24", label: wallTimeWords("17:42", true, language) },
      ]}
      onChange={(style) => change(style === "24")}
    />
  );
}
