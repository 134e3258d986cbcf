import type { PlaybackStatus } from "@player/service/contract/playback";
import { usePhrases } from "../../app/app.ts";
import { playbackPhrases } from "../../app/playback/playback-phrases.ts";
import type { NowPlaying } from "../../app/playback/playing.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { Button } from "../../design/button.tsx";
import { nowPhrases } from "./now-phrases.ts";

/** Resumes at the saved position. */
export function ResumeSaved() {
  const { resumeSaved } = usePhrases(playbackPhrases);
  const { savedHint } = usePhrases(nowPhrases);
  const transport = useTransport();
  return (
    <div class="now-saved">
      <p class="row-aside">{savedHint}</p>
      <Button kind="primary" icon="play" needsToken onClick={() => void transport.resumeSaved()}>
        {resumeSaved}
      </Button>
    </div>
  );
}

/** The large button resumes a recitation, and this one restarts it. After a station it is the other way round. */
export function SavedPlace({ status, playing }: { status: PlaybackStatus; playing: NowPlaying }) {
  const { fromStart, goesOnHint } = usePhrases(nowPhrases);
  const transport = useTransport();
  if (playing.kind === "stream") return <ResumeSaved />;
  return (
    <div class="now-saved">
      <p class="row-aside">{goesOnHint}</p>
      <Button icon="repeat" needsToken onClick={() => void transport.playTrack(status.track)}>
        {fromStart}
      </Button>
    </div>
  );
}
