import { EmptyState, Link } from "../../design/layout.tsx";
import { usePhrases } from "../app.ts";
import { commonPhrases } from "../language/common-phrases.ts";
import { noRecitationsPhrases } from "./no-recitations-phrases.ts";

export function NoRecitations({ hasCard }: { hasCard: boolean }) {
  const phrases = usePhrases(noRecitationsPhrases);
  const { uploads } = usePhrases(commonPhrases);
  if (!hasCard) {
    return (
      <EmptyState icon="card" title={phrases.noCardTitle}>
        <p>{phrases.noCardHint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="book" title={phrases.nothingTitle}>
      <Link to="/uploads" class="button button-primary">
        {uploads}
      </Link>
      <p>{phrases.nothingHint}</p>
      <p>
        <code dir="ltr">{phrases.exampleFile}</code>
      </p>
    </EmptyState>
  );
}
