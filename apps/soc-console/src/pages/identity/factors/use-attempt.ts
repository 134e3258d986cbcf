import { useCallback, useState } from "react";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";

export interface Attempt {
  isBusy: boolean;
  /** Why the last attempt failed, by the refused field. */
  trouble: { text: string; field: string | undefined } | undefined;
  /** Runs one change at a time and stores a refusal as trouble. */
  run: (change: () => Promise<void>) => void;
  fail: (text: string) => void;
}

/** A change of the user's own account, with its error shown beside it. */
export function useAttempt(): Attempt {
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<Attempt["trouble"]>();
  const run = useCallback((change: () => Promise<void>) => {
    setIsBusy(true);
    setTrouble(undefined);
    void change()
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        // An ended session opens the sign-in dialog instead.
        if (error.status === 401) return;
        const text = errorWords(error);
        setTrouble({ text, field: error.field });
      })
      .finally(() => setIsBusy(false));
  }, []);
  const fail = useCallback((text: string) => setTrouble({ text, field: undefined }), []);
  return { isBusy, trouble, run, fail };
}
