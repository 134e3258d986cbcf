import { useApp, usePhrases } from "../app/app.ts";
import { shellPhrases } from "../app/language/shell-phrases.ts";
import { useHeard } from "../app/playback/heard.ts";
import { nowPhrases } from "../app/playback/now-phrases.ts";
import { useTransport } from "../app/playback/transport.ts";
import { IconButton } from "../design/button.tsx";
import { Link } from "../design/layout.tsx";

/** What is heard, on every other page, with one button. */
export function NowBar() {
  const { live } = useApp();
  const phrases = usePhrases(shellPhrases);
  const { adhan, tone, adhanPlays, tonePlays } = usePhrases(nowPhrases);
  const { toggle } = useTransport();
  const heard = useHeard();
  const status = live.playback.view.value;
  if (!status || status.state === "stopped") return null;
  const isPaused = status.state === "paused";
  const [callTitle, callAside] = status.track ? [adhan, adhanPlays] : [tone, tonePlays];
  const isCall = heard.kind === "call";
  return (
    <div class="now-bar">
      <Link to="/" class="now-bar-words">
        <strong>
          <bdi>{isCall ? callTitle : heard.title}</bdi>
        </strong>
        <span>
          <bdi>{isCall ? callAside : heard.aside}</bdi>
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
