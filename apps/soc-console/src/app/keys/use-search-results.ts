import { useEffect, useState } from "react";
import { every } from "../browser/clock.ts";
import type { SearchResult } from "./palette-options.ts";

export type Search = (text: string, signal: AbortSignal) => Promise<readonly SearchResult[]>;

export interface SearchState {
  found: readonly SearchResult[];
  isSearching: boolean;
  failure: string | undefined;
}

const PAUSE_MS = 150;
const MIN_CHARACTERS = 2;
const NOTHING: SearchState = { found: [], isSearching: false, failure: undefined };

/** Searches when the user pauses typing. A newer text aborts the previous search. */
export function useSearchResults(text: string, search: Search | undefined): SearchState {
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
