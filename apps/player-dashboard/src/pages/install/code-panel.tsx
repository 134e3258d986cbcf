import type { CodeResult } from "@player/service/contract/pairing";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { installPhrases } from "./install-phrases.ts";

/** The page on a home screen has a storage of its own: it is unlocked by a code that this page gets from the player. */
export function CodePanel() {
  const { api, commands } = useApp();
  const phrases = usePhrases(installPhrases);
  const language = useLanguage();
  const [shown, setShown] = useState<CodeResult>();

  async function showCode(): Promise<void> {
    await commands.run(async () => setShown(await api.post<CodeResult>("/pairing/code")));
  }

  return (
    <Panel title={phrases.codeTitle}>
      <div class="stack">
        <p class="install-soft">{phrases.codeAbout}</p>
        {shown && (
          <div role="status">
            <p class="install-code" dir="ltr">
              {shown.code.replace(/^(...)/, "$1 ")}
            </p>
            <p class="field-hint">{counted(Math.round(shown.expires_in_s / 60), phrases.codeValid, language)}</p>
          </div>
        )}
        <div class="actions">
          <Button needsToken onClick={() => void showCode()}>
            {shown ? phrases.codeAgain : phrases.codeShow}
          </Button>
        </div>
      </div>
    </Panel>
  );
}
