import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { type CasesClient, caseKeys, createCasesClient, type DirectoryUser } from "./cases-client.ts";

const STALE_MS = 300_000;

export function useCasesClient(): CasesClient {
  const { server } = useApp();
  return useMemo(() => createCasesClient(server), [server]);
}

/** Everyone to whom a case or a task can be assigned. */
export function usePeople(isWanted = true): readonly DirectoryUser[] {
  const client = useCasesClient();
  const { data } = useQuery({
    queryKey: caseKeys.people,
    queryFn: ({ signal }) => client.people(signal),
    staleTime: STALE_MS,
    enabled: isWanted,
  });
  return data?.items ?? [];
}
