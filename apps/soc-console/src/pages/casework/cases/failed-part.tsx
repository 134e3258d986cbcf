import { usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { ErrorState } from "../../../design/states.tsx";
import { casesPhrases } from "./cases-phrases.ts";

/** A part of the page that could not be read; the others work on. */
export function FailedPart({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const words = usePhrases(casesPhrases);
  const { message, requestId } =
    error instanceof ApiError ? error : { message: error instanceof Error ? error.message : "", requestId: undefined };
  return (
    <ErrorState title={words.failed} text={message} requestId={requestId} retryLabel={words.retry} onRetry={onRetry} />
  );
}
