import type { CardBody } from "@player/service/contract/cards";
import { SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { targetWords } from "../../app/targets/target-words.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { EmptyState, PageTitle } from "../../design/layout.tsx";
import { chooseSign, surahOnFace } from "./card-sign.ts";
import { cardsPhrases } from "./cards-phrases.ts";
import { useCards } from "./use-cards.ts";

/** The faces of all cards, to be cut out. */
export function PrintSheet() {
  const phrases = usePhrases(cardsPhrases);
  const { reading, refresh } = useCards();
  return (
    <>
      <PageTitle
        back={{ to: "/cards", label: phrases.back }}
        actions={
          <Button kind="primary" icon="print" onClick={() => window.print()}>
            {phrases.printNow}
          </Button>
        }
      >
        {phrases.printTitle}
      </PageTitle>
      <p class="print-hint">{phrases.printHint}</p>
      <Loaded reading={reading} refresh={refresh}>
        {(cards) =>
          cards.length === 0 ? (
            <EmptyState icon="card" title={phrases.printNone} />
          ) : (
            <ul class="print-sheet">
              {cards.map((card) => (
                <CardFace key={card.uid} card={card} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function CardFace({ card }: { card: CardBody }) {
  const language = useLanguage();
  const lists = useTargetLists();
  const surah = SURAH_NAMES_AR[surahOnFace(card.binding, lists.favorites) - 1];
  return (
    <li class="card-face">
      <p class="card-face-name" dir="auto">
        {card.name}
      </p>
      {surah === undefined ? (
        <span class="card-face-sign">
          <Icon name={chooseSign(card.binding)} />
        </span>
      ) : (
        <p class="card-face-surah" lang="ar" dir="rtl">
          {surah}
        </p>
      )}
      <p class="card-face-deed">{targetWords(card.binding, lists, language)}</p>
    </li>
  );
}
