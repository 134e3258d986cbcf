import { useCanGoBack, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type AddressSearch, changeSearch, parseSearch } from "./search.ts";

export interface Address {
  path: string;
  /** The query parameters. */
  search: AddressSearch;
  /** The path parameters. */
  params: Readonly<Record<string, string | undefined>>;
  /**
   * Changes some parameters and keeps the others; undefined removes one. With `isStep`, the browser's Back button
   * restores the previous state.
   */
  change: (changes: Readonly<Record<string, string | undefined>>, options?: { isStep?: boolean }) => void;
  go: (path: string, search?: Readonly<Record<string, string | undefined>>) => void;
  /** Goes back to the previous page of the console, or to the given path if there is none. */
  goBack: (path: string) => void;
}

/** The address holds the state of the page: a link shows the same, and Back restores it. */
export function useAddress(): Address {
  const location = useLocation();
  const path = location.pathname;
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  const navigate = useNavigate();
  const flat = useMemo<AddressSearch>(() => parseSearch(location.searchStr), [location.searchStr]);
  const change = useCallback<Address["change"]>(
    (changes, { isStep = false } = {}) => {
      void navigate({
        to: ".",
        search: (before: Record<string, unknown>) => changeSearch(changeSearch({}, before), changes),
        replace: !isStep,
        resetScroll: false,
      });
    },
    [navigate],
  );
  const go = useCallback<Address["go"]>(
    (path, wanted = {}) => void navigate({ to: path, search: changeSearch({}, wanted) }),
    [navigate],
  );
  const canGoBack = useCanGoBack();
  const goBack = useCallback<Address["goBack"]>((first) => (canGoBack ? history.back() : go(first)), [canGoBack, go]);
  return { path, search: flat, params, change, go, goBack };
}
