import { IconButton } from "../controls/button.tsx";
import { Link } from "../controls/layout.tsx";
import { useApp, usePhrases } from "../shell/app.ts";
import { shellPhrases } from "../shell/shell-phrases.ts";
import { useHeard } from "./heard.ts";
import { nowPhrases } from "./now-phrases.ts";
import { useTransport } from "./transport.ts";

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
