import { ErrorState } from "../../design/states.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { ApiError } from "../server/api-error.ts";
import { errorWords } from "../server/error-words.ts";
import { pagePhrases } from "./page-phrases.ts";

export interface FailedPartProps {
  error: unknown;
  /** What could not be done, when it is not plain from the place. */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** A part of the page that could not be read; the others work on. */
export function FailedPart({ error, title, onRetry }: FailedPartProps) {
  const words = usePhrases(pagePhrases);
  const isAnswer = error instanceof ApiError;
  const text = isAnswer ? errorWords(error) : error instanceof Error ? error.message : "";
  return (
    <ErrorState
      title={title ?? words.failed}
      text={<bdi>{text}</bdi>}
      requestId={isAnswer ? error.requestId : undefined}
      retryLabel={words.retry}
      onRetry={onRetry}
    />
  );
}
