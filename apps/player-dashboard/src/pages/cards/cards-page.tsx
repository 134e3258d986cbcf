import { useApp, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { Button } from "../../design/button.tsx";
import { EmptyState, PageTitle } from "../../design/layout.tsx";
import { CardList } from "./card-list.tsx";
import { cardsPhrases } from "./cards-phrases.ts";
import { PrintSheet } from "./print-sheet.tsx";
import "./cards.css";

/** The list, and `/cards/print`. The device does not list its cards without the token. */
export function CardsPage() {
  const { navigation, tokens } = useApp();
  if (tokens.token.value === undefined) return <LockedCards />;
  return navigation.path.value === "/cards/print" ? <PrintSheet /> : <CardList />;
}

function LockedCards() {
  const { tokens } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const { cards, more } = usePhrases(commonPhrases);
  return (
    <>
      <PageTitle back={{ to: "/more", label: more }}>{cards}</PageTitle>
      <EmptyState icon="lock" title={phrases.locked}>
        <p>{phrases.lockedHint}</p>
        <Button kind="primary" icon="unlock" onClick={() => void tokens.ask("needed")}>
          {phrases.unlock}
        </Button>
      </EmptyState>
    </>
  );
}
