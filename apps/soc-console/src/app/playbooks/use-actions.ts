import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp } from "../context/app-context.ts";
import { type Reading, toReading } from "../reading/reading.ts";
import { type PlaybookAction, playbookKeys, readActions } from "./playbooks-client.ts";

function useActionsQuery() {
  const { server } = useApp();
  return useQuery({
    queryKey: playbookKeys.actions,
    queryFn: ({ signal }) => readActions(server, signal),
    // Actions do not change while the platform runs.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The available actions, for a statement that must not be made before they were read. */
export function useActionsReading(): Reading<ReadonlyMap<string, PlaybookAction>> {
  const reading = toReading(useActionsQuery());
  if (reading.state !== "read") return reading;
  return { ...reading, data: new Map(reading.data.items.map((action) => [action.name, action])) };
}

/** The available actions by name. Empty until loaded. */
export function useActions(): ReadonlyMap<string, PlaybookAction> {
  const { data } = useActionsQuery();
  return useMemo(() => new Map((data?.items ?? []).map((action) => [action.name, action])), [data]);
}
