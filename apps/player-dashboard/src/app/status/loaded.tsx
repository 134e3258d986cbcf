import type { ComponentChildren } from "preact";
import { Button } from "../../design/button.tsx";
import { EmptyState } from "../../design/layout.tsx";
import { ApiError } from "../api/api-client.ts";
import { errorWords } from "../api/error-words.ts";
import { useLanguage, usePhrases } from "../app.ts";
import { lastOf, type Reading } from "../live/resource.ts";
import { livePhrases } from "./live-phrases.ts";

/** Shows a resource once it is loaded, and an error with a retry button when it failed. */
export function Loaded<Value>({
  reading,
  refresh,
  children,
}: {
  reading: Reading<Value>;
  refresh: () => Promise<void>;
  children: (value: Value) => ComponentChildren;
}) {
  const { loading, tryAgain } = usePhrases(livePhrases);
  const language = useLanguage();
  const value = lastOf(reading);
  if (value !== undefined) return <>{children(value)}</>;
  if (reading.state !== "failed") return <div class="waiting waiting-tall" role="status" aria-label={loading} />;
  return (
    <EmptyState
      icon="warning"
      title={reading.error instanceof ApiError ? errorWords(reading.error, language) : loading}
    >
      <Button onClick={() => void refresh()}>{tryAgain}</Button>
    </EmptyState>
  );
}
