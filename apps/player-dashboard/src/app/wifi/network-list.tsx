import type { WifiNetworksBody } from "@player/service/contract/settings";
import { signal } from "@preact/signals";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { useApp, usePhrases, useResource } from "../app.ts";
import { createResource, lastOf } from "../live/resource.ts";
import { canJoin, findStrength } from "./wifi-join.ts";
import { wifiPhrases } from "./wifi-phrases.ts";

type Network = WifiNetworksBody["networks"][number];

interface NetworkListProps {
  /** The name in the form. */
  chosen: string;
  onChoose: (ssid: string) => void;
}

/** The networks that the device receives. The device lists them only with the token, because they tell where it is. */
export function NetworkList(props: NetworkListProps) {
  const { tokens } = useApp();
  const phrases = usePhrases(wifiPhrases);
  if (tokens.token.value !== undefined) return <FoundNetworks {...props} />;
  return (
    <div class="actions">
      <Button kind="quiet" icon="search" needsToken onClick={() => void tokens.ask("needed")}>
        {phrases.search}
      </Button>
    </div>
  );
}

function FoundNetworks({ chosen, onChoose }: NetworkListProps) {
  const { api, commands } = useApp();
  const phrases = usePhrases(wifiPhrases);
  const [isBusy, setBusy] = useState(false);
  const networks = useMemo(() => {
    const load = () => commands.unlocked(() => api.get<WifiNetworksBody>("/settings/wifi/networks"));
    return createResource(load, signal(0));
  }, [api, commands]);
  const reading = useResource(networks);
  const found = lastOf(reading)?.networks;
  const isSearching = isBusy || reading.state === "loading";

  async function searchAgain(): Promise<void> {
    setBusy(true);
    await networks.refresh();
    setBusy(false);
  }

  return (
    <div class="stack">
      {found && found.length > 0 && (
        <ul class="networks" aria-label={phrases.inReach}>
          {found.map((network) => (
            <li key={network.ssid}>
              <NetworkOption network={network} isChosen={network.ssid === chosen} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
      <p class="row-aside" role="status">
        {isSearching && phrases.searching}
        {!isSearching && reading.state === "failed" && phrases.searchFailed}
        {!isSearching && found?.length === 0 && phrases.noneInReach}
      </p>
      <div class="actions">
        <Button kind="quiet" icon="search" isBusy={isSearching} onClick={() => void searchAgain()}>
          {phrases.searchAgain}
        </Button>
      </div>
    </div>
  );
}

interface NetworkOptionProps {
  network: Network;
  isChosen: boolean;
  onChoose: (ssid: string) => void;
}

function NetworkOption({ network: { ssid, signal: strength, security }, isChosen, onChoose }: NetworkOptionProps) {
  const phrases = usePhrases(wifiPhrases);
  return (
    <button
      type="button"
      class="network"
      aria-pressed={isChosen}
      disabled={!canJoin(security)}
      onClick={() => onChoose(ssid)}
    >
      <span class="network-name" dir="auto">
        {ssid}
      </span>
      <span class="row-aside network-about">
        {security !== "open" && <Icon name="lock" />}
        {phrases.securities[security]} · {phrases.strengths[findStrength(strength)]}
      </span>
    </button>
  );
}
