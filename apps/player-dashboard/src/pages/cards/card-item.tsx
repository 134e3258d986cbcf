import type { CardBody } from "@player/service/contract/cards";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { targetWords } from "../../app/targets/target-words.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { Icon } from "../../design/icons.tsx";
import { chooseSign } from "./card-sign.ts";
import { cardsPhrases } from "./cards-phrases.ts";
import { spacedUid } from "./uid.ts";

export interface CardItemProps {
  card: CardBody;
  /** It was the last one on the reader. */
  isTapped: boolean;
  onChange: () => void;
  onRemove: () => void;
}

export function CardItem({ card, isTapped, onChange, onRemove }: CardItemProps) {
  const phrases = usePhrases(cardsPhrases);
  const language = useLanguage();
  const lists = useTargetLists();
  return (
    <li class={isTapped ? "panel known-card known-card-tapped" : "panel known-card"}>
      <span class="known-card-sign">
        <Icon name={chooseSign(card.binding)} />
      </span>
      <div class="row-words">
        <h2 class="known-card-name">
          <bdi>{card.name}</bdi>
        </h2>
        <p>{targetWords(card.binding, lists, language)}</p>
        <p class="row-aside">
          <bdi dir="ltr">{spacedUid(card.uid)}</bdi>
        </p>
        {isTapped && <p class="known-card-last">{phrases.lastTapped}</p>}
      </div>
      <div class="actions">
        <Button icon="edit" onClick={onChange}>
          {phrases.edit}
          <span class="screen-reader-only">: {card.name}</span>
        </Button>
        <IconButton icon="bin" label={`${phrases.remove}: ${card.name}`} onClick={onRemove} />
      </div>
    </li>
  );
}
