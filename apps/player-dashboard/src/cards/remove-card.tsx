import type { CardBody } from "@player/service/contract/cards";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/layout.tsx";
import { fill } from "../language/translations.ts";
import { useApp, usePhrases } from "../shell/app.ts";
import { isolated } from "../targets/target-words.ts";
import { cardsPhrases } from "./cards-phrases.ts";

export interface RemoveCardProps {
  card: CardBody;
  refresh: () => Promise<void>;
  onClose: () => void;
}

export function RemoveCard({ card, refresh, onClose }: RemoveCardProps) {
  const { api, commands, notices } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const remove = async () => {
    const isDone = await commands.run(async () => {
      await api.remove(`/rfid/cards/${card.uid}`);
      await refresh();
    });
    if (isDone) notices.tell("done", phrases.removed);
    onClose();
  };
  return (
    <Dialog title={phrases.removeTitle} onClose={onClose}>
      <div class="stack">
        <p>{fill(phrases.removeQuestion, { name: isolated(card.name) })}</p>
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
