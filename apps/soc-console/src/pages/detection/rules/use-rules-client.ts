import { useMemo } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { createRulesClient, type RulesClient } from "./rules-client.ts";

export function useRulesClient(): RulesClient {
  const { server } = useApp();
  return useMemo(() => createRulesClient(server), [server]);
}
