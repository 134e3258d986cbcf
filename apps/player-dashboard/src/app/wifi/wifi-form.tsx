import { useRef, useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { Switch, TextField } from "../../design/fields.tsx";
import { useApp, usePhrases } from "../app.ts";
import { NetworkList } from "./network-list.tsx";
import { findNetworkProblem, type NetworkProblem } from "./wifi-join.ts";
import { wifiPhrases } from "./wifi-phrases.ts";
import "./wifi.css";

/** The password is cleared as soon as the device has it. */
export function WifiForm({ onJoin }: { onJoin: (ssid: string) => void }) {
  const { api, commands } = useApp();
  const phrases = usePhrases(wifiPhrases);
  const [ssid, setSsid] = useState("");
  const [password, setPassword] = useState("");
  const [isShown, setShown] = useState(false);
  const [problem, setProblem] = useState<NetworkProblem>();
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  function choose(name: string): void {
    setSsid(name);
    setProblem(undefined);
    form.current?.querySelector<HTMLInputElement>("input[maxlength='64']")?.focus();
  }

  async function join(): Promise<void> {
    const found = findNetworkProblem({ ssid, password });
    setProblem(found);
    if (found) return;
    setBusy(true);
    const isDone = await commands.run(() => api.post("/settings/wifi", { ssid, password }));
    setBusy(false);
    if (!isDone) return;
    setPassword("");
    setShown(false);
    onJoin(ssid);
  }

  return (
    <form
      ref={form}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void join();
      }}
    >
      <NetworkList chosen={ssid} onChoose={choose} />
      <TextField
        label={phrases.ssid}
        hint={phrases.ssidHint}
        value={ssid}
        maxLength={32}
        error={problem && problem !== "passwordForm" ? phrases[problem] : undefined}
        onInput={setSsid}
      />
      <TextField
        label={phrases.password}
        hint={phrases.passwordHint}
        value={password}
        type={isShown ? "text" : "password"}
        isLatin
        maxLength={64}
        autoComplete="new-password"
        error={problem === "passwordForm" ? phrases.passwordForm : undefined}
        onInput={setPassword}
      />
      <Switch label={phrases.show} isOn={isShown} onChange={setShown} />
      <p class="row-aside">{phrases.whatHappens}</p>
      <div class="actions">
        <Button type="submit" kind="primary" icon="wifi" needsToken isBusy={isBusy}>
          {phrases.join}
        </Button>
      </div>
    </form>
  );
}
