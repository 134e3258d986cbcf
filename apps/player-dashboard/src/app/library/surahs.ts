import type { SurahsBody } from "@player/service/contract/library";
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useApp } from "../app.ts";
import { createResource, lastOf, type Resource } from "../live/resource.ts";

/** The 114 surahs of a reciter. Loaded again after each scan of the card; the page must watch the reciters for that. */
export function useSurahs(reciter: string): Resource<SurahsBody> {
  const { api, live } = useApp();
  return useMemo(() => {
    const revision = computed(() => {
      const known = lastOf(live.reciters.reading.value);
      const found = known?.reciters.find(({ name }) => name === reciter);
      return `${known?.scanned_at ?? ""} ${found?.surah_count ?? ""}`;
    });
    return createResource(
      () => api.get<SurahsBody>(`/library/surahs?reciter=${encodeURIComponent(reciter)}`),
      revision,
    );
  }, [api, live, reciter]);
}
