import { useEffect } from "react";
import { usePhrases } from "../app/language/language-context.tsx";
import type { ApiError } from "../app/server/api-error.ts";
import { Mark } from "../design/mark.tsx";
import { shellPhrases } from "./shell-phrases.ts";
import "./shell.css";

/** Shown at the start while the service or its database does not answer. */
export function UnavailablePage({ refusal }: { refusal: ApiError }) {
  const words = usePhrases(shellPhrases);
  useEffect(() => {
    document.title = `${words.unavailable} · ${words.product}`;
  }, [words]);
  return (
    <main className="unavailable">
      <Mark />
      <h1 className="title">{words.unavailable}</h1>
      <p role="alert">{refusal.status === 0 ? words.noAnswerText : words.noDatabaseText}</p>
      <p className="soft">{words.askedAgain}</p>
      {refusal.requestId !== undefined && (
        <bdi className="error-state-id" dir="ltr">
          {refusal.requestId}
        </bdi>
      )}
    </main>
  );
}
