import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp } from "../context/app-context.ts";
import { type PlaybookAction, playbookKeys, readActions } from "./playbooks-client.ts";

/** The available actions by name. Empty until loaded. */
export function useActions(): ReadonlyMap<string, PlaybookAction> {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: playbookKeys.actions,
    queryFn: ({ signal }) => readActions(server, signal),
    // Actions do not change while the platform runs.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => new Map((data?.items ?? []).map((action) => [action.name, action])), [data]);
}
