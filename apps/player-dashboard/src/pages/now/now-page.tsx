import type { PlaybackStatus } from "@player/service/contract/playback";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { errorPhrases } from "../../app/errors/error-phrases.ts";
import { PlaybackError } from "../../app/errors/playback-error.tsx";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { HifzRing } from "../../app/playback/hifz-ring.tsx";
import { usePlaying } from "../../app/playback/playing.ts";
import { RecordingHint } from "../../app/prayer/recording-hint.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { AfterEnd } from "./after-end.tsx";
import { NowButtons } from "./now-buttons.tsx";
import { nowPhrases } from "./now-phrases.ts";
import { NowTitle } from "./now-title.tsx";
import { Progress } from "./progress.tsx";
import { ResumeSaved, SavedPlace } from "./saved-place.tsx";
import { SleepTimer } from "./sleep-timer.tsx";
import { StateLine } from "./state-line.tsx";
import { Volume } from "./volume.tsx";
import "./now.css";

export function NowPage() {
  const { live } = useApp();
  const phrases = usePhrases(commonPhrases);
  const status = live.playback.view.value;
  return (
    <>
      <div class="screen-reader-only">
        <PageTitle>{phrases.now}</PageTitle>
      </div>
      {status ? <NowPlaying status={status} /> : <div class="waiting waiting-tall" aria-busy="true" />}
    </>
  );
}

function NowPlaying({ status }: { status: PlaybackStatus }) {
  const { live } = useApp();
  useResource(live.favorites);
  const playing = usePlaying();
  const { toDiagnostics } = usePhrases(errorPhrases);
  const announced = live.announced.value;
  const isStopped = status.state === "stopped";
  const isHifz = status.hifz !== undefined && status.advance_mode.startsWith("hifz");
  return (
    <div class="now">
      <section class="panel now-card">
        <PlaybackError>
          <Link to="/settings/diagnostics">{toDiagnostics}</Link>
        </PlaybackError>
        {playing.kind === "nothing" ? (
          <NothingYet hasSaved={status.hasResumeState} />
        ) : (
          <>
            <NowTitle playing={playing} status={status} adhan={announced.adhan} />
            <StateLine status={status} playing={playing} announced={announced} />
            {isHifz && playing.kind === "surah" && <HifzRing status={status} />}
            {!isStopped && status.duration > 0 && <Progress status={status} isFixed={playing.kind === "call"} />}
            <NowButtons status={status} playing={playing} />
            {isStopped && status.hasResumeState && <SavedPlace status={status} playing={playing} />}
          </>
        )}
      </section>
      <section class="panel now-side">
        <Volume status={status} />
        {playing.kind !== "stream" && <AfterEnd status={status} />}
        <SleepTimer status={status} announced={announced} />
        <ToneHint />
      </section>
    </div>
  );
}

/** Warns owners who rely on the adhan when it will not play. */
function ToneHint() {
  const { live } = useApp();
  const { chooseRecording } = usePhrases(nowPhrases);
  const prayer = live.prayer.value;
  if (!prayer?.configured || !prayer.config.adhan.enabled) return null;
  return (
    <RecordingHint prayer={prayer}>
      <Link to="/prayer" class="button">
        {chooseRecording}
      </Link>
    </RecordingHint>
  );
}

function NothingYet({ hasSaved }: { hasSaved: boolean }) {
  const phrases = usePhrases(nowPhrases);
  const { library, radio } = usePhrases(commonPhrases);
  return (
    <EmptyState icon="book" title={phrases.emptyTitle}>
      {hasSaved ? <ResumeSaved /> : <p>{phrases.emptyHint}</p>}
      <div class="actions now-places">
        <Link to="/library" class={hasSaved ? "button" : "button button-primary"}>
          {library}
        </Link>
        <Link to="/radio" class="button">
          {radio}
        </Link>
      </div>
    </EmptyState>
  );
}
