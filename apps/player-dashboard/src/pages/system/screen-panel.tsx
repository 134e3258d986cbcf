import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../app/api/api-client.ts";
import { errorWords } from "../../app/api/error-words.ts";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { every } from "../../app/browser/clock.ts";
import { startPoll } from "../../app/live/poll.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { systemPhrases } from "./system-phrases.ts";

/** The device serves 10 pictures in 10 seconds to all tabs of one browser together. */
const PERIOD_MS = 2000;

/** What the device's own screen shows now. Pictures need the token, since a screen may show what is private. */
export function ScreenPanel() {
  const { tokens } = useApp();
  const phrases = usePhrases(systemPhrases);
  return (
    <Panel title={phrases.screen}>
      <div class="stack">
        <p>{phrases.screenHint}</p>
        {tokens.token.value === undefined ? (
          <div class="actions">
            <Button icon="screen" needsToken onClick={() => void tokens.ask("needed")}>
              {phrases.showScreen}
            </Button>
          </div>
        ) : (
          <LiveScreen />
        )}
      </div>
    </Panel>
  );
}

function LiveScreen() {
  const { api } = useApp();
  const phrases = usePhrases(systemPhrases);
  const language = useLanguage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [trouble, setTrouble] = useState<ApiError>();

  useEffect(() => {
    async function draw(): Promise<void> {
      try {
        const response = await api.send({ method: "GET", path: "/debug/screenshot" });
        const picture = await createImageBitmap(await response.blob());
        const context = canvas.current?.getContext("2d");
        context?.drawImage(picture, 0, 0);
        picture.close();
        setTrouble(undefined);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        setTrouble(error);
      }
    }
    return startPoll({ page: document, every, periodMs: PERIOD_MS, task: draw }).stop;
  }, [api]);

  return (
    <>
      <div class="device-screen">
        <canvas
          ref={canvas}
          class="device-screen-canvas"
          width={320}
          height={240}
          role="img"
          aria-label={phrases.screenPicture}
        />
      </div>
      {trouble && <p role="status">{errorWords(trouble, language)}</p>}
    </>
  );
}
