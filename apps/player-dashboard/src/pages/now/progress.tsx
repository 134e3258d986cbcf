import type { PlaybackStatus } from "@player/service/contract/playback";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { nowMs } from "../../app/browser/clock.ts";
import { durationWords } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Slider } from "../../design/fields.tsx";
import { ProgressBar } from "../../design/layout.tsx";
import { nowPhrases } from "./now-phrases.ts";
import { positionNow } from "./place.ts";

/** The playback position. `isFixed`: no seeking, as in the adhan. */
export function Progress({ status, isFixed }: { status: PlaybackStatus; isFixed: boolean }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(nowPhrases);
  const { seek } = useTransport();
  const [wanted, setWanted] = useState<number>();
  useSeconds();
  const position = wanted ?? positionNow(status, nowMs() - live.positionAtMs.value);
  const { duration } = status;
  const words = (ms: number) => durationWords(ms / 1000, language);
  const valueText = fill(phrases.positionOf, { position: words(position), duration: words(duration) });
  return (
    <div class="now-progress" dir="ltr">
      {isFixed ? (
        <ProgressBar percent={(100 * position) / duration} label={phrases.position} />
      ) : (
        <Slider
          label={phrases.position}
          isLabelHidden
          value={Math.round(position)}
          min={0}
          max={duration}
          step={1000}
          valueText={valueText}
          onInput={setWanted}
          onChange={(to) => void seek(to).then(() => setWanted(undefined))}
        />
      )}
      <p class="now-times" aria-hidden="true">
        <span>{words(position)}</span>
        <span>{words(duration)}</span>
      </p>
    </div>
  );
}
