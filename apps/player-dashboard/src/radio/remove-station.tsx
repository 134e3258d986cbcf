import type { StationBody } from "@player/service/contract/stations";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/layout.tsx";
import { fill } from "../language/translations.ts";
import { useApp, usePhrases } from "../shell/app.ts";
import { isolated } from "../targets/target-words.ts";
import { radioPhrases } from "./radio-phrases.ts";

export function RemoveStation({ station, onClose }: { station: StationBody; onClose: () => void }) {
  const { api, commands, notices } = useApp();
  const phrases = usePhrases(radioPhrases);
  const remove = async () => {
    const isDone = await commands.run(() => api.remove(`/radio/stations/${station.id}`));
    if (isDone) notices.tell("done", phrases.removed);
    onClose();
  };
  return (
    <Dialog title={phrases.removeTitle} onClose={onClose}>
      <div class="stack">
        <p>{fill(phrases.removeQuestion, { station: isolated(station.name) })}</p>
        <div class="actions">
          <Button kind="danger" icon="bin" needsToken onClick={() => void remove()}>
            {phrases.removeYes}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {phrases.keep}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
