import { useApp, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { WifiForm } from "../../app/wifi/wifi-form.tsx";
import { useJoining, WifiOutcome } from "../../app/wifi/wifi-outcome.tsx";
import { wifiPhrases } from "../../app/wifi/wifi-phrases.ts";
import { Panel } from "../../design/layout.tsx";

export function WifiPage() {
  const { live } = useApp();
  const phrases = usePhrases(wifiPhrases);
  const { joining, begin } = useJoining();
  const settings = live.settings.view.value;
  return (
    <Subpage title={phrases.title}>
      <div class="panels panels-two">
        <Panel title={phrases.now}>
          <div class="stack" role="status">
            {settings && <Connected {...settings} />}
            {joining && <WifiOutcome joining={joining} />}
          </div>
        </Panel>
        <Panel title={phrases.other}>
          <WifiForm onJoin={begin} />
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
