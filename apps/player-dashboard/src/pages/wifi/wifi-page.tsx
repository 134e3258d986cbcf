import { useEffect, useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Panel } from "../../design/layout.tsx";
import { WifiForm } from "./wifi-form.tsx";
import { buildNextAddress, findJoinState, type Joining, type JoinState } from "./wifi-join.ts";
import { wifiPhrases } from "./wifi-phrases.ts";
import "./wifi.css";

export function WifiPage() {
  const { live } = useApp();
  const phrases = usePhrases(wifiPhrases);
  const seconds = useSeconds();
  const [joining, setJoining] = useState<Joining>();
  const settings = live.settings.view.value;
  const isReachable = live.presence.value !== "unreachable";

  useEffect(
    () =>
      live.onFrame((frame) => {
        if (frame.type !== "error" || frame.data.code !== "wifi") return;
        setJoining((now) => now && { ...now, isRefused: true });
      }),
    [live],
  );

  return (
    <Subpage title={phrases.title}>
      <div class="panels panels-two">
        <Panel title={phrases.now}>
          <div class="stack" role="status">
            {settings && <Connected {...settings} />}
            {joining && settings && (
              <Outcome
                joining={joining}
                state={findJoinState(joining, settings, { nowSeconds: seconds, isReachable })}
                hostname={settings.hostname}
              />
            )}
          </div>
        </Panel>
        <Panel title={phrases.other}>
          <WifiForm
            onJoin={(ssid) =>
              setJoining({ ssid, former: settings?.ssid ?? "", sinceSeconds: seconds, isRefused: false })
            }
          />
        </Panel>
      </div>
    </Subpage>
  );
}

function Connected({ ssid, ip, wifi_connected }: { ssid: string; ip: string; wifi_connected: boolean }) {
  const phrases = usePhrases(wifiPhrases);
  return wifi_connected ? (
    <p>{fill(phrases.connected, { ssid, ip })}</p>
  ) : (
    <div>
      <p>
        <strong>{phrases.notConnected}</strong>
      </p>
      <p class="row-aside">{phrases.notConnectedHint}</p>
    </div>
  );
}

interface OutcomeProps {
  joining: Joining;
  state: JoinState;
  hostname: string;
}

const LOOKS: Readonly<Record<JoinState, string>> = {
  joining: "news",
  joined: "news news-well",
  returned: "news news-hurt",
  alone: "news news-hurt",
  unknown: "news",
};

function Outcome({ joining: { ssid, former }, state, hostname }: OutcomeProps) {
  const { tokens } = useApp();
  const phrases = usePhrases(wifiPhrases);
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
          <a class="button button-plain" href={buildNextAddress(hostname, location.port, tokens.token.value)}>
            {phrases.continueThere}
          </a>
        </p>
      )}
    </div>
  );
}
