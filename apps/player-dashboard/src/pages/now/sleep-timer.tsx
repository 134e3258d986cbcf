import type { PlaybackStatus } from "@player/service/contract/playback";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { durationWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { secondsUntil, type UpcomingChanges } from "../../app/live/upcoming-changes.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { SelectField } from "../../design/fields.tsx";
import { nowPhrases } from "./now-phrases.ts";

const MINUTES = [15, 30, 45, 60, 90, 120, 180] as const;
/** Represents a running timer, because the original choice is unknown. */
const RUNS = "runs";
const OFF = "0";

/** Stops playback after a chosen time. */
export function SleepTimer({ status, announced }: { status: PlaybackStatus; announced: UpcomingChanges }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(nowPhrases);
  const { setSleepTimer } = useTransport();
  useSeconds();
  const isOn = status.sleep_timer_s !== null;
  const left = secondsUntil(announced.sleepsAtMs, live.deviceNowMs()) ?? status.sleep_timer_s ?? 0;
  const runs = { value: RUNS, label: fill(phrases.sleepIn, { time: durationWords(left, language) }) };
  return (
    <SelectField
      label={phrases.sleepTimer}
      value={isOn ? RUNS : OFF}
      options={[
        ...(isOn ? [runs] : []),
        { value: OFF, label: phrases.sleepOff },
        ...MINUTES.map((minutes) => ({
          value: String(minutes),
          label: counted(minutes, phrases.minutes, language),
        })),
      ]}
      onChange={(chosen) => {
        if (chosen !== RUNS) void setSleepTimer(Number(chosen));
      }}
    />
  );
}
