import { useCallback, useState } from "react";
import { ApiError } from "../../../app/server/api-error.ts";
import { errorWords } from "../../../app/server/error-words.ts";

export interface Attempt {
  isBusy: boolean;
  /** Why the last one failed, by the field that was refused. */
  trouble: { text: string; field: string | undefined } | undefined;
  /** Runs one change at a time. A refusal is kept as trouble. */
  run: (change: () => Promise<void>) => void;
  fail: (text: string) => void;
}

/** A change of the user's own account, with its trouble shown where it was asked for. */
export function useAttempt(): Attempt {
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<Attempt["trouble"]>();
  const run = useCallback((change: () => Promise<void>) => {
    setIsBusy(true);
    setTrouble(undefined);
    void change()
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // A session that has ended is asked for over the page.
        if (error.status === 401) return;
        const text = errorWords(error);
        setTrouble({ text, field: error.field });
      })
      .finally(() => setIsBusy(false));
  }, []);
  const fail = useCallback((text: string) => setTrouble({ text, field: undefined }), []);
  return { isBusy, trouble, run, fail };
}
