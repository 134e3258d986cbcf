import { useEffect, useState } from "preact/hooks";
import { useApp, usePhrases } from "../app.ts";
import { fill } from "../language/translations.ts";
import "../settings/subpage.css";
import { useSeconds } from "../time/use-seconds.ts";
import { buildNextAddress, findJoinState, type JoinAttempt, type JoinState } from "./wifi-join.ts";
import { wifiPhrases } from "./wifi-phrases.ts";

/** The last attempt to join a network on this page. */
export function useJoining(): { joining: JoinAttempt | undefined; begin: (ssid: string) => void } {
  const { live } = useApp();
  const seconds = useSeconds();
  const [joining, setJoining] = useState<JoinAttempt>();

  useEffect(
    () =>
      live.onFrame((frame) => {
        if (frame.type !== "error" || frame.data.code !== "wifi") return;
        setJoining((now) => now && { ...now, isRefused: true });
      }),
    [live],
  );

  function begin(ssid: string): void {
    const former = live.settings.view.value?.ssid ?? "";
    setJoining({ ssid, former, sinceSeconds: seconds, isRefused: false });
  }

  return { joining, begin };
}

const LOOKS: Readonly<Record<JoinState, string>> = {
  joining: "news",
  joined: "news news-well",
  returned: "news news-hurt",
  alone: "news news-hurt",
  unknown: "news",
};

/** The outcome of the attempt, and how the phone follows the device into the new network. */
export function WifiOutcome({ joining }: { joining: JoinAttempt }) {
  const { live, tokens } = useApp();
  const phrases = usePhrases(wifiPhrases);
  const nowSeconds = useSeconds();
  const settings = live.settings.view.value;
  if (!settings) return null;
  const { ssid, former } = joining;
  const isReachable = live.presence.value !== "unreachable";
  const state = findJoinState(joining, settings, { nowSeconds, isReachable });
  const isMoving = former === "" && (state === "joining" || state === "joined" || state === "unknown");
  const hints: Readonly<Record<JoinState, string>> = {
    joining: former === "" ? phrases.joiningFirstHint : phrases.joiningHint,
    joined: phrases.joinedHint,
    returned: phrases.returnedHint,
    alone: phrases.aloneHint,
    unknown: phrases.unknownHint,
  };
  return (
    <div class={LOOKS[state]}>
      <p>
        <strong>{fill(phrases[state], { ssid })}</strong>
      </p>
      <p>{fill(hints[state], { ssid, former })}</p>
      {isMoving && (
        <p>
          <a class="button button-plain" href={buildNextAddress(settings.hostname, location.port, tokens.token.value)}>
            {phrases.continueThere}
          </a>
        </p>
      )}
    </div>
  );
}
