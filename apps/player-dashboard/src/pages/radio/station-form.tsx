import type { AddStationRequest } from "@player/service/contract/stations";
import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { useSaving } from "../../app/targets/use-saving.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { StreamState } from "./current-stream.tsx";
import { radioPhrases } from "./radio-phrases.ts";
import { findStreamUrl } from "./stream.ts";

export type Draft = AddStationRequest;

/** Adds a station. Its address can be played before it is saved. */
export function StationForm({ initial, onClose }: { initial: Draft; onClose: () => void }) {
  const { api, live, notices } = useApp();
  const phrases = usePhrases(radioPhrases);
  const [name, setName] = useState(initial.name);
  const [typed, setTyped] = useState(initial.url);
  const [asked, setAsked] = useState<"save" | "try">();
  const { isBusy, refusal, forgetRefusal, save } = useSaving();
  const url = typed.trim();
  const isPlaying = url !== "" && findStreamUrl(live.playback.view.value) === url;
  const addressTrouble = asked && url === "" ? phrases.addressMissing : refusal;
  const nameTrouble = asked === "save" && name.trim() === "" ? phrases.nameMissing : undefined;

  const tryStation = async () => {
    setAsked("try");
    if (url !== "") await save(() => api.post("/playback/play", { url }));
  };

  const keep = async () => {
    setAsked("save");
    if (url === "" || name.trim() === "") return;
    const isDone = await save(async () => {
      const { created } = await api.post<{ created: boolean }>("/radio/stations", { name: name.trim(), url });
      notices.show("done", created ? phrases.saved : phrases.renamed);
      await live.stations.refresh();
    });
    if (isDone) onClose();
  };

  return (
    <Dialog title={phrases.addTitle} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void keep();
        }}
      >
        <TextField
          label={phrases.name}
          hint={phrases.nameHint}
          value={name}
          maxLength={100}
          error={nameTrouble}
          onInput={setName}
        />
        <TextField
          label={phrases.address}
          hint={phrases.addressHint}
          type="url"
          isLatin
          value={typed}
          error={addressTrouble}
          onInput={(value) => {
            setTyped(value);
            setAsked(undefined);
            forgetRefusal();
          }}
        />
        <p class="field-hint" role="status">
          {isPlaying ? <StreamState /> : phrases.tryHint}
        </p>
        <div class="actions">
          <Button type="submit" kind="primary" icon="check" needsToken isBusy={isBusy}>
            {phrases.save}
          </Button>
          <Button icon="play" needsToken disabled={isBusy} onClick={() => void tryStation()}>
            {phrases.tryIt}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {phrases.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
