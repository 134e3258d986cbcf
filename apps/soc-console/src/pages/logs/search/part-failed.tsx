import { usePhrases } from "../../../app/language/language-context.tsx";
import type { ApiError } from "../../../app/server/api-error.ts";
import { errorWords } from "../../../app/server/error-words.ts";
import { ErrorState } from "../../../design/states.tsx";
import { searchPhrases } from "./search-phrases.ts";

export interface PartFailedProps {
  title: string;
  error: ApiError;
  onRetry?: (() => void) | undefined;
}

/** Only this part has failed; the others have fates of their own. */
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
