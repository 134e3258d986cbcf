import { EmptyState } from "../../design/layout.tsx";
import { usePhrases } from "../app.ts";
import { noRecitationsPhrases } from "./no-recitations-phrases.ts";

export function NoRecitations({ hasCard }: { hasCard: boolean }) {
  const phrases = usePhrases(noRecitationsPhrases);
  if (!hasCard) {
    return (
      <EmptyState icon="card" title={phrases.noCardTitle}>
        <p>{phrases.noCardHint}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="book" title={phrases.nothingTitle}>
      <p>{phrases.nothingHint}</p>
      <p>
        <code dir="ltr">{phrases.exampleFile}</code>
      </p>
    </EmptyState>
  );
}
