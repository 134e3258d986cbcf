import type { SiteBody } from "@soc/service/contract/identity/sites/sites";
import { useQuery } from "@tanstack/react-query";
import { useApp, useMay } from "../context/app-context.ts";
import type { ListResponse, Wire } from "../server/server.ts";

export type Site = Wire<SiteBody>;

export const SITES_KEY = ["sites", "list"] as const;
const STALE_MS = 300_000;
const MAX_SITES = 200;

/** The sites of the user; empty for a user who may not list them. */
export function useSites(): readonly Site[] {
  const { server } = useApp();
  const mayRead = useMay("sites:read");
  const { data } = useQuery({
    queryKey: SITES_KEY,
    queryFn: ({ signal }) => server.get<ListResponse<Site>>("/sites", { query: { limit: MAX_SITES }, signal }),
    staleTime: STALE_MS,
    enabled: mayRead,
    retry: false,
  });
  return data?.items ?? [];
}
