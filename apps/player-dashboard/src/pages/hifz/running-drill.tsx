import type { HifzBody, PlaybackStatus } from "@player/service/contract/playback";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { counted } from "../../app/language/numbers.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { secondsUntil } from "../../app/live/upcoming-changes.ts";
import { HifzRing } from "../../app/playback/hifz-ring.tsx";
import { playbackPhrases } from "../../app/playback/playback-phrases.ts";
import { usePlaying } from "../../app/playback/playing.ts";
import { gapWords } from "../../app/playback/state-words.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { hifzPhrases } from "./hifz-phrases.ts";

/** The current drill, if any. */
export function RunningDrill({ status }: { status: PlaybackStatus }) {
  const phrases = usePhrases(hifzPhrases);
  const playing = usePlaying();
  if (!status.hifz || !status.advance_mode.startsWith("hifz")) return null;
  const isOn = status.state !== "stopped" && playing.kind === "surah";
  return (
    <Panel title={isOn ? phrases.running : phrases.standing}>
      <div class="drill">
        {playing.kind === "surah" && (
          <p class="drill-name">
            <strong dir="auto">{playing.title}</strong>
            <span class="row-aside" dir="auto">
              {playing.aside}
            </span>
          </p>
        )}
        <HifzRing status={status} />
        <DrillState isOn={isOn} hifz={status.hifz} />
        <DrillButtons status={status} />
        {isOn && <p class="row-aside">{phrases.toNormalHint}</p>}
      </div>
    </Panel>
  );
}

function DrillState({ isOn, hifz }: { isOn: boolean; hifz: HifzBody }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(hifzPhrases);
  useSeconds();
  const { repeat_done, repeat_target, pause_s, waiting } = hifz;
  const isDone = repeat_target > 0 && repeat_done >= repeat_target;
  if (!isOn) return <p>{isDone ? phrases.done : phrases.ready}</p>;
  const digits = (value: number) => formatDigits(String(value), language);
  const isEndless = repeat_target === 0;
  const number = digits(isEndless ? repeat_done + 1 : Math.min(repeat_done + 1, repeat_target));
  return (
    <>
      <p class="drill-round">
        {waiting
          ? gapWords(secondsUntil(live.announced.value.gapEndsAtMs, live.deviceNowMs()), language)
          : fill(isEndless ? phrases.roundEndless : phrases.round, { number, target: digits(repeat_target) })}
      </p>
      {pause_s > 0 && <p class="row-aside">{counted(pause_s, phrases.pauseBetween, language)}</p>}
    </>
  );
}

function DrillButtons({ status }: { status: PlaybackStatus }) {
  const phrases = usePhrases(hifzPhrases);
  const { play, pause } = usePhrases(commonPhrases);
  const { resumeSaved } = usePhrases(playbackPhrases);
  const transport = useTransport();
  const isStopped = status.state === "stopped";
  const isOn = !isStopped && status.state !== "paused";
  return (
    <div class="actions drill-actions">
      {!isStopped && (
        <Button kind="primary" icon={isOn ? "pause" : "play"} needsToken onClick={transport.toggle}>
          {isOn ? pause : play}
        </Button>
      )}
      {isStopped && status.track !== "" && (
        <Button kind="primary" icon="play" needsToken onClick={transport.toggle}>
          {status.hasResumeState ? resumeSaved : phrases.again}
        </Button>
      )}
      {!isStopped && (
        <Button icon="stop" needsToken onClick={() => void transport.stop()}>
          {phrases.stop}
        </Button>
      )}
      <Button icon="back" needsToken onClick={() => void transport.setAdvance("off")}>
        {phrases.toNormal}
      </Button>
    </div>
  );
}
