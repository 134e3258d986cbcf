import type { CardBody } from "@player/service/contract/cards";
import { useApp, usePhrases } from "../../app/app.ts";
import { RemoveDialog } from "../../app/controls/remove-dialog.tsx";
import { fill, isolated } from "../../app/language/translations.ts";
import { cardsPhrases } from "./cards-phrases.ts";

export interface RemoveCardProps {
  card: CardBody;
  refresh: () => Promise<void>;
  onClose: () => void;
}

export function RemoveCard({ card, refresh, onClose }: RemoveCardProps) {
  const { api } = useApp();
  const phrases = usePhrases(cardsPhrases);
  return (
    <RemoveDialog
      title={phrases.removeTitle}
      question={fill(phrases.removeQuestion, { name: isolated(card.name) })}
      yes={phrases.removeYes}
      keep={phrases.keep}
      removed={phrases.removed}
      remove={async () => {
        await api.remove(`/rfid/cards/${card.uid}`);
        await refresh();
      }}
      onClose={onClose}
    />
  );
}
