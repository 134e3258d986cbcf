import type { CardBody } from "@player/service/contract/cards";
import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { lastOf } from "../../app/live/resource.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { type CardDraft, toCardDraft } from "./card-draft.ts";
import { CardForm } from "./card-form.tsx";
import { CardItem } from "./card-item.tsx";
import { cardsPhrases } from "./cards-phrases.ts";
import { RemoveCard } from "./remove-card.tsx";
import { TapDialog } from "./tap-dialog.tsx";
import { useCards } from "./use-cards.ts";

type Open =
  | { dialog: "tap" }
  | { dialog: "form"; draft: CardDraft; isNew: boolean }
  | { dialog: "remove"; card: CardBody };

export function CardList() {
  const { live } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const shell = usePhrases(commonPhrases);
  const { reading, refresh } = useCards();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const change = (card: CardBody) => setOpen({ dialog: "form", draft: toCardDraft(card), isNew: false });
  const tap = () => setOpen({ dialog: "tap" });
  return (
    <>
      <PageTitle
        back={{ to: "/more", label: shell.more }}
        actions={
          <Button kind="primary" icon="plus" onClick={tap}>
            {phrases.add}
          </Button>
        }
      >
        {shell.cards}
      </PageTitle>
      <Loaded reading={reading} refresh={refresh}>
        {(cards) =>
          cards.length === 0 ? (
            <EmptyState icon="card" title={phrases.none}>
              <p>{phrases.noneHint}</p>
              <Button kind="primary" icon="plus" onClick={tap}>
                {phrases.addFirst}
              </Button>
            </EmptyState>
          ) : (
            <div class="stack">
              <ul class="cards" aria-label={phrases.list}>
                {cards.map((card) => (
                  <CardItem
                    key={card.uid}
                    card={card}
                    isTapped={live.lastTap.value?.uid === card.uid}
                    onChange={() => change(card)}
                    onRemove={() => setOpen({ dialog: "remove", card })}
                  />
                ))}
              </ul>
              <PrintLink />
            </div>
          )
        }
      </Loaded>
      {open?.dialog === "tap" && (
        <TapDialog
          cards={lastOf(reading) ?? []}
          onNew={(draft) => setOpen({ dialog: "form", draft, isNew: true })}
          onChange={change}
          onClose={close}
        />
      )}
      {open?.dialog === "form" && (
        <CardForm initial={open.draft} isNew={open.isNew} refresh={refresh} onClose={close} />
      )}
      {open?.dialog === "remove" && <RemoveCard card={open.card} refresh={refresh} onClose={close} />}
    </>
  );
}

function PrintLink() {
  const { print } = usePhrases(cardsPhrases);
  return (
    <p>
      <Link to="/cards/print" class="button">
        <Icon name="print" />
        <span>{print}</span>
      </Link>
    </p>
  );
}
