import { useCallback } from "react";
import { useApp } from "../app/context/app-context.ts";

interface FoundItem {
  kind: string;
  id: string;
  title: string;
  subtitle: string | null;
}

/** The page of a search result. Kinds without a page are omitted. */
const PATHS: Readonly<Record<string, (id: string) => string>> = {
  alert: (id) => `/alerts/${id}`,
  case: (id) => `/cases/${id}/timeline`,
  hunt: (id) => `/hunt/saved/${id}`,
  user: (id) => `/entity/user/${encodeURIComponent(id)}`,
};

/** Searches records for the palette. */
export function usePaletteSearch() {
  const { server } = useApp();
  return useCallback(
    async (q: string) => {
      const { items } = await server.get<{ items: FoundItem[] }>("/search", { query: { q }, priority: "user" });
      return items.flatMap(({ kind, id, title, subtitle }) => {
        const href = PATHS[kind]?.(id);
        return href === undefined ? [] : [{ kind, title, subtitle: subtitle ?? "", href }];
      });
    },
    [server],
  );
}
