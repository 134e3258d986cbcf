import type { PlaybackStatus } from "@player/service/contract/playback";
import { useApp, useLanguage } from "../../app/app.ts";
import { secondsUntil, type UpcomingChanges } from "../../app/live/upcoming-changes.ts";
import type { NowPlaying } from "../../app/playback/playing.ts";
import { stateWords } from "../../app/playback/state-words.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";

interface StateLineProps {
  status: PlaybackStatus;
  playing: NowPlaying;
  announced: UpcomingChanges;
}

export function StateLine({ status, playing, announced }: StateLineProps) {
  const { live } = useApp();
  const language = useLanguage();
  useSeconds();
  const nowMs = live.deviceNowMs();
  const situation = {
    status,
    kind: playing.kind,
    adhan: announced.adhan,
    retryInSeconds: status.retry_in_s === null ? undefined : secondsUntil(announced.retriesAtMs, nowMs),
    gapSeconds: secondsUntil(announced.gapEndsAtMs, nowMs),
  };
  return <p class={`now-state now-state-${status.state}`}>{stateWords(situation, language)}</p>;
}
