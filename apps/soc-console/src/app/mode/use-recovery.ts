import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useModeReading } from "./use-mode.ts";

/** Reads again what could not be read, when the service and its database are back. */
export function useRecovery(): void {
  const queries = useQueryClient();
  const { isUnreachable, isDatabaseLost } = useModeReading();
  const isLost = isUnreachable || isDatabaseLost;
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost)
      void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    wasLost.current = isLost;
  }, [isLost, queries]);
}
