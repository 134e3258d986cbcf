import { useMemo } from "react";
import { useApp } from "../../../../app/context/app-context.ts";
import { type AutomationsClient, createAutomationsClient } from "./automations-client.ts";

export function useAutomationsClient(): AutomationsClient {
  const { server } = useApp();
  return useMemo(() => createAutomationsClient(server), [server]);
}
