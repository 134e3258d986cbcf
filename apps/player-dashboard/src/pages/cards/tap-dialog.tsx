import type { CardBody } from "@player/service/contract/cards";
import { useEffect, useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { targetWords } from "../../app/targets/target-words.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { Dialog } from "../../design/layout.tsx";
import { type CardDraft, newCardDraft } from "./card-draft.ts";
import { cardsPhrases } from "./cards-phrases.ts";

export interface TapDialogProps {
  cards: readonly CardBody[];
  onNew: (draft: CardDraft) => void;
  onChange: (card: CardBody) => void;
  onClose: () => void;
}

/** Waits for a card on the reader. A new one goes on to the form; a known one is shown first. */
export function TapDialog({ cards, onNew, onChange, onClose }: TapDialogProps) {
  const { live } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const [known, setKnown] = useState<CardBody>();
  useEffect(
    () =>
      live.onFrame((frame) => {
        if (frame.type !== "nfc" || frame.data.uid === "") return;
        const { uid, registered } = frame.data;
        const card = cards.find((each) => each.uid === uid);
        if (card) setKnown(card);
        // A card that is registered but not in the list yet must not be overwritten as a new one.
        else if (!registered) onNew(newCardDraft(uid));
      }),
    [live, cards, onNew],
  );
  return (
    <Dialog title={phrases.tapTitle} onClose={onClose}>
      {known ? (
        <KnownCard card={known} onChange={() => onChange(known)} onAnother={() => setKnown(undefined)} />
      ) : (
        <Waiting />
      )}
    </Dialog>
  );
}

function Waiting() {
  const { live } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const isThere = live.presence.value === "here";
  return (
    <div class="tap">
      <span class="tap-sign">
        <Icon name="card" />
      </span>
      <p class="tap-words">{phrases.tapNow}</p>
      <p class="row-aside">{phrases.tapHint}</p>
      <p role="status">{isThere ? phrases.waiting : phrases.gone}</p>
    </div>
  );
}

function KnownCard({ card, onChange, onAnother }: { card: CardBody; onChange: () => void; onAnother: () => void }) {
  const phrases = usePhrases(cardsPhrases);
  const language = useLanguage();
  const lists = useTargetLists();
  return (
    <div class="stack" role="status">
      <p class="tap-words">{fill(phrases.known, { name: isolated(card.name) })}</p>
      <p>{targetWords(card.binding, lists, language)}</p>
      <div class="actions">
        <Button kind="primary" icon="edit" onClick={onChange}>
          {phrases.change}
        </Button>
        <Button onClick={onAnother}>{phrases.another}</Button>
      </div>
    </div>
  );
}
