import type { StationBody } from "@player/service/contract/stations";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { nowMs } from "../../app/browser/clock.ts";
import { useSeconds } from "../../app/time/use-seconds.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { radioPhrases } from "./radio-phrases.ts";
import { findStreamUrl, streamWords } from "./stream.ts";

export interface CurrentStreamProps {
  stations: readonly Pick<StationBody, "name" | "url">[];
  /** Called to save a playing stream that is not in the list. */
  onSave: (url: string) => void;
}

/** The current stream and its state; renders nothing when the radio is off. */
export function CurrentStream({ stations, onSave }: CurrentStreamProps) {
  const { live } = useApp();
  const phrases = usePhrases(radioPhrases);
  const status = live.playback.view.value;
  const url = findStreamUrl(status);
  if (!status || url === undefined) return null;
  const name = stations.find((station) => station.url === url)?.name;
  return (
    <Panel title={phrases.now}>
      <div class="stack">
        <div class="current-stream">
          <strong class="current-name">
            <bdi>{name ?? url}</bdi>
          </strong>
          {status.title !== "" && <bdi>{status.title}</bdi>}
          <StreamState />
        </div>
        <div class="actions">
          <StreamButtons isPaused={status.state === "paused"} />
          {name === undefined && (
            <Button icon="plus" needsToken onClick={() => onSave(url)}>
              {phrases.saveThis}
            </Button>
          )}
        </div>
      </div>
    </Panel>
  );
}

export function StreamState() {
  const { live } = useApp();
  const language = useLanguage();
  useSeconds();
  const status = live.playback.view.value;
  if (!status) return null;
  const agoS = (nowMs() - live.positionAtMs.value) / 1000;
  return <span class={`stream-state stream-${status.state}`}>{streamWords(status, agoS, language)}</span>;
}

function StreamButtons({ isPaused }: { isPaused: boolean }) {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(radioPhrases);
  const order = (state: "playing" | "stopped", path: string) => () =>
    void commands.run(() => live.playback.attempt({ state }, () => api.post(path)));
  return (
    <>
      {isPaused && (
        <Button kind="primary" icon="play" needsToken onClick={order("playing", "/playback/resume")}>
          {phrases.resume}
        </Button>
      )}
      <Button icon="stop" needsToken onClick={order("stopped", "/playback/stop")}>
        {phrases.stop}
      </Button>
    </>
  );
}
