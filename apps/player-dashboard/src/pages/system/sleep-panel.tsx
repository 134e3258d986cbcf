import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { clockWords } from "../../app/time/clock-words.ts";
import { Button } from "../../design/button.tsx";
import { Dialog, Panel } from "../../design/layout.tsx";
import { systemPhrases } from "./system-phrases.ts";

export function SleepPanel() {
  const { api, commands, live, notices } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(systemPhrases);
  const { cancel } = usePhrases(settingsPhrases);
  const [isAsking, setAsking] = useState(false);

  function wakeWords(wakesAt: number | null): string {
    const settings = live.settings.view.value;
    if (wakesAt === null || !settings) return phrases.sleepsUntilButton;
    return fill(phrases.sleepsUntil, { time: clockWords(settings, wakesAt, language) });
  }

  async function sleep(): Promise<void> {
    setAsking(false);
    await commands.run(async () => {
      const { wakes_at } = await api.post<{ wakes_at: number | null }>("/system/sleep");
      notices.show("news", wakeWords(wakes_at));
    });
  }

  return (
    <Panel title={phrases.sleep}>
      <div class="stack">
        <p>{phrases.sleepHint}</p>
        <div class="actions">
          <Button icon="moon" needsToken onClick={() => setAsking(true)}>
            {phrases.sleepNow}
          </Button>
        </div>
      </div>
      {isAsking && (
        <Dialog title={phrases.sleepAsk} onClose={() => setAsking(false)}>
          <div class="stack">
            <p>{phrases.sleepAskHint}</p>
            <div class="actions">
              <Button kind="primary" icon="moon" onClick={() => void sleep()}>
                {phrases.sleepNow}
              </Button>
              <Button kind="quiet" onClick={() => setAsking(false)}>
                {cancel}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </Panel>
  );
}
