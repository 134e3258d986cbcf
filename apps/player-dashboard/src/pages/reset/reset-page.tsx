import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { usePairing } from "../../app/unlock/pairing.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { Link, Panel } from "../../design/layout.tsx";
import { isConfirmed } from "./confirmation.ts";
import { resetPhrases } from "./reset-phrases.ts";
import "./reset.css";

export function ResetPage() {
  const phrases = usePhrases(resetPhrases);
  const [isDone, setDone] = useState(false);
  return (
    <Subpage title={phrases.title}>
      {isDone ? (
        <Done />
      ) : (
        <div class="stack">
          <p>{phrases.intro}</p>
          <div class="panels panels-two">
            <div class="panels">
              <Panel title={phrases.goes}>
                <ul class="reset-list">
                  {phrases.going.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </Panel>
              <Panel title={phrases.stays}>
                <ul class="reset-list reset-stays">
                  {phrases.staying.map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </Panel>
            </div>
            <ConfirmPanel onDone={() => setDone(true)} />
          </div>
        </div>
      )}
    </Subpage>
  );
}

function ConfirmPanel({ onDone }: { onDone: () => void }) {
  const { api, commands, live, tokens } = useApp();
  const phrases = usePhrases(resetPhrases);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const pairing = usePairing();
  const hasNoWay = pairing !== undefined && !pairing.ways.screen && !pairing.ways.sound;
  const name = live.settings.view.value?.device_name;
  const isReady = name !== undefined && isConfirmed(typed, name);

  async function reset(): Promise<void> {
    setBusy(true);
    const isReset = await commands.run(() => api.post("/reset"));
    setBusy(false);
    if (!isReset) return;
    // The device has a new token by now and reveals it to no client.
    tokens.forget();
    onDone();
  }

  return (
    <Panel title={phrases.confirm}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) void reset();
        }}
      >
        <p>{phrases.confirmHint}</p>
        {hasNoWay && (
          <p>
            <strong>{phrases.noWay}</strong>
          </p>
        )}
        <div class="actions">
          <Link to="/settings/backup" class="button">
            <Icon name="archive" />
            {phrases.toBackup}
          </Link>
        </div>
        <TextField
          label={fill(phrases.type, { name: name ?? "" })}
          hint={phrases.typeHint}
          value={typed}
          maxLength={64}
          onInput={setTyped}
        />
        <div class="actions">
          <Button type="submit" kind="danger" icon="bin" needsToken isBusy={isBusy} disabled={!isReady}>
            {phrases.reset}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function Done() {
  const phrases = usePhrases(resetPhrases);
  return (
    <div class="panels">
      <div class="news news-well" role="status">
        <p>
          <strong>{phrases.done}</strong>
        </p>
        <p>{phrases.doneHint}</p>
      </div>
      <Panel title={phrases.next}>
        <ol class="reset-steps">
          {phrases.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div class="actions">
          <Link to="/" class="button button-primary">
            {phrases.toNow}
          </Link>
        </div>
      </Panel>
    </div>
  );
}
