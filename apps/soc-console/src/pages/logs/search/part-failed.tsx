import { usePhrases } from "../../../app/language/language-context.tsx";
import { type ApiError, errorWords } from "../../../app/server/api-error.ts";
import { ErrorState } from "../../../design/states.tsx";
import { searchPhrases } from "./search-phrases.ts";

export interface PartFailedProps {
  title: string;
  error: ApiError;
  onRetry?: (() => void) | undefined;
}

/** Only this part failed; the others load separately. */
export function PartFailed({ title, error, onRetry }: PartFailedProps) {
  const words = usePhrases(searchPhrases);
  return (
    <ErrorState
      title={title}
      text={<bdi>{errorWords(error)}</bdi>}
      requestId={error.requestId}
      retryLabel={words.retry}
      onRetry={onRetry}
    />
  );
}
