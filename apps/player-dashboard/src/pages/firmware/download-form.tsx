import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { firmwarePhrases } from "./firmware-phrases.ts";

export function DownloadForm({ isUnderWay }: { isUnderWay: boolean }) {
  const { api, commands } = useApp();
  const phrases = usePhrases(firmwarePhrases);
  const [address, setAddress] = useState("");
  const [isRefused, setRefused] = useState(false);
  const [isBusy, setBusy] = useState(false);

  async function download(): Promise<void> {
    const url = address.trim();
    if (!/^https:\/\/./i.test(url)) {
      setRefused(true);
      return;
    }
    setBusy(true);
    const isBegun = await commands.run(() => api.post("/ota/pull", { url }));
    setBusy(false);
    if (isBegun) setAddress("");
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void download();
      }}
    >
      <TextField
        label={phrases.address}
        hint={phrases.addressHint}
        value={address}
        isLatin
        maxLength={1024}
        error={isRefused ? phrases.addressForm : undefined}
        onInput={(value) => {
          setAddress(value);
          setRefused(false);
        }}
      />
      <div class="actions">
        <Button type="submit" kind="primary" icon="download" needsToken isBusy={isBusy} disabled={isUnderWay}>
          {phrases.download}
        </Button>
      </div>
    </form>
  );
}
