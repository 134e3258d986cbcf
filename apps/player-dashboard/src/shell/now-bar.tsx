import { useApp, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { playbackPhrases } from "../app/playback/playback-phrases.ts";
import { usePlaying } from "../app/playback/playing.ts";
import { useTransport } from "../app/playback/transport.ts";
import { IconButton } from "../design/button.tsx";
import { Link } from "../design/layout.tsx";

/** What is playing, with a play button, on all pages but the first. */
export function NowBar() {
  const { live } = useApp();
  const phrases = usePhrases(commonPhrases);
  const { adhan, tone, adhanPlays, tonePlays } = usePhrases(playbackPhrases);
  const { toggle } = useTransport();
  const playing = usePlaying();
  const status = live.playback.view.value;
  if (!status || status.state === "stopped") return null;
  const isPaused = status.state === "paused";
  const [callTitle, callAside] = status.track ? [adhan, adhanPlays] : [tone, tonePlays];
  const isCall = playing.kind === "call";
  return (
    <div class="now-bar">
      <Link to="/" class="now-bar-words">
        <strong>
          <bdi>{isCall ? callTitle : playing.title}</bdi>
        </strong>
        <span>
          <bdi>{isCall ? callAside : playing.aside}</bdi>
        </span>
      </Link>
      <IconButton
        icon={isPaused ? "play" : "pause"}
        label={isPaused ? phrases.play : phrases.pause}
        kind="primary"
        needsToken
        onClick={toggle}
      />
    </div>
  );
}
