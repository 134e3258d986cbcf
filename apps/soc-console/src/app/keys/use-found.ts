import { useEffect, useState } from "react";
import { every } from "../browser/clock.ts";
import type { Found } from "./palette-options.ts";

export type Search = (text: string, signal: AbortSignal) => Promise<readonly Found[]>;

export interface FoundState {
  found: readonly Found[];
  isSearching: boolean;
  failure: string | undefined;
}

const PAUSE_MS = 150;
const MIN_CHARACTERS = 2;
const NOTHING: FoundState = { found: [], isSearching: false, failure: undefined };

/** Searches when the typing pauses. A newer text aborts the search of an older one. */
export function useFound(text: string, search: Search | undefined): FoundState {
  const [state, setState] = useState(NOTHING);
  const wanted = text.trim();
  useEffect(() => {
    if (!search || wanted.length < MIN_CHARACTERS) {
      setState(NOTHING);
      return;
    }
    const aborter = new AbortController();
    setState((before) => ({ ...before, isSearching: true, failure: undefined }));
    const stop = every(PAUSE_MS, () => {
      stop();
      search(wanted, aborter.signal).then(
        (found) => {
          if (!aborter.signal.aborted) setState({ ...NOTHING, found });
        },
        (error: unknown) => {
          const failure = error instanceof Error ? error.message : String(error);
          if (!aborter.signal.aborted) setState({ ...NOTHING, failure });
        },
      );
    });
    return () => {
      stop();
      aborter.abort();
    };
  }, [wanted, search]);
  return state;
}
