import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { after } from "../browser/clock.ts";
import type { LiveEvent } from "../live/live-stream.ts";
import { useLive } from "./app-context.ts";

/** A burst of events causes one reload. */
const GATHER_MS = 1000;

/** Invalidates the queries below a key when an event concerns them. */
export function useReadAgain(key: readonly string[], isAbout: (event: LiveEvent) => boolean): void {
  const queries = useQueryClient();
  const waiting = useRef<(() => void) | undefined>(undefined);
  const readAgain = () => void queries.invalidateQueries({ queryKey: key });
  useLive({
    onEvents: (events) => {
      if (waiting.current || !events.some(isAbout)) return;
      waiting.current = after(GATHER_MS, () => {
        waiting.current = undefined;
        readAgain();
      });
    },
    onReset: readAgain,
  });
  useEffect(() => () => waiting.current?.(), []);
}
