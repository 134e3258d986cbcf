import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApp, useLive } from "../../../app/context/app-context.ts";
import { playbookKeys } from "../../../app/playbooks/playbooks-client.ts";
import { createPlaybooksClient, type PlaybooksClient } from "./playbooks-client.ts";

export function usePlaybooksClient(): PlaybooksClient {
  const { server } = useApp();
  return useMemo(() => createPlaybooksClient(server), [server]);
}

/** One playbook, reloaded when it changes. */
export function usePlaybook(id: string) {
  const client = usePlaybooksClient();
  const queries = useQueryClient();
  const readAgain = () => void queries.invalidateQueries({ queryKey: playbookKeys.one(id) });
  useLive({
    onEvents: (events) => {
      if (events.some(({ type, subject_id }) => type.startsWith("playbook.") && subject_id === id)) readAgain();
    },
    onReset: readAgain,
  });
  return useQuery({ queryKey: playbookKeys.one(id), queryFn: ({ signal }) => client.read(id, signal) });
}
