import { useCanGoBack, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { type AddressSearch, changeSearch, parseSearch } from "./search.ts";

export interface Address {
  path: string;
  /** The flat parameters behind the `?`. */
  search: AddressSearch;
  /** The named parts of the path. */
  params: Readonly<Record<string, string | undefined>>;
  /** Changes some parameters and keeps the others; undefined removes one. `isStep`: back returns to the former state. */
  change: (changes: Readonly<Record<string, string | undefined>>, options?: { isStep?: boolean }) => void;
  go: (path: string, search?: Readonly<Record<string, string | undefined>>) => void;
  /** To the page of the console before this one; to the given path when this is the first. */
  goBack: (path: string) => void;
}

/** The state of the page is its address: a link to it shows the same, and back restores it. */
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
