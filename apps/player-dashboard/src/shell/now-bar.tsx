import { useApp, useLanguage, usePhrases } from "../app/app.ts";
import { commonPhrases } from "../app/language/common-phrases.ts";
import { callWords } from "../app/playback/call-words.ts";
import { usePlaying } from "../app/playback/playing.ts";
import { useTransport } from "../app/playback/transport.ts";
import { IconButton } from "../design/button.tsx";
import { Link } from "../design/layout.tsx";

/** What is playing, with a play button, on all pages but the first. */
export function NowBar() {
  const { live } = useApp();
  const phrases = usePhrases(commonPhrases);
  const language = useLanguage();
  const { toggle } = useTransport();
  const playing = usePlaying();
  const status = live.playback.view.value;
  if (!status || status.state === "stopped") return null;
  const isPaused = status.state === "paused";
  const call = callWords({ track: status.track, adhan: live.announced.value.adhan }, language);
  const [title, aside] = playing.kind === "call" ? [call.title, call.state] : [playing.title, playing.aside];
  return (
    <div class="now-bar">
      <Link to="/" class="now-bar-words">
        {/* The direction of the text itself, so that the ellipsis is at its end. */}
        <strong dir="auto">{title}</strong>
        <span dir="auto">{aside}</span>
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
