import { useState } from "preact/hooks";
import { ApiError } from "../api/api-client.ts";
import { NotUnlocked } from "../api/commands.ts";
import { errorWords } from "../api/error-words.ts";
import { useApp, useLanguage } from "../app.ts";

export interface SaveState {
  isBusy: boolean;
  /** Why the device refused, in plain words; shown inside the form. */
  refusal: string | undefined;
  forgetRefusal: () => void;
  /** Returns whether it succeeded. */
  save: (request: () => Promise<unknown>) => Promise<boolean>;
}

/** Sends a form to the device. */
export function useSaving(): SaveState {
  const { commands } = useApp();
  const language = useLanguage();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();

  async function save(request: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setError(undefined);
    try {
      await commands.unlocked(request);
      return true;
    } catch (caught) {
      if (caught instanceof ApiError) setError(caught);
      else if (!(caught instanceof NotUnlocked)) throw caught;
      return false;
    } finally {
      setBusy(false);
    }
  }

  return {
    isBusy,
    refusal: error && errorWords(error, language),
    forgetRefusal: () => setError(undefined),
    save,
  };
}
