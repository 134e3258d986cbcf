import { Button } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { adhanPhrases } from "./adhan-phrases.ts";

/** Plays the adhan as at prayer time, and ends it. */
export function AdhanTest() {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(adhanPhrases);
  const status = live.playback.view.value;
  // Only the adhan plays a file without a source of its own.
  const isPlaying = status?.state === "playing" && status.mode === "file" && status.source === null;
  return (
    <div>
      {isPlaying ? (
        <Button kind="primary" icon="stop" onClick={() => void commands.run(() => api.post("/playback/pause"))}>
          {phrases.stop}
        </Button>
      ) : (
        <Button icon="play" needsToken onClick={() => void commands.run(() => api.post("/prayer/test-adhan"))}>
          {phrases.test}
        </Button>
      )}
      <p class="field-hint">{phrases.testHint}</p>
    </div>
  );
}
