import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useModeReading } from "./use-mode.ts";

/** Calls `onBack` when the service and its database respond again. */
export function useBack(onBack: () => void): void {
  const { isUnreachable, isDatabaseLost } = useModeReading();
  const isLost = isUnreachable || isDatabaseLost;
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) onBack();
    wasLost.current = isLost;
  });
}

/** Retries failed queries when the service and its database are back. */
export function useRecovery(): void {
  const queries = useQueryClient();
  useBack(() => void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" }));
}
