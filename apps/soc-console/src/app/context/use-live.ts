import { useEffect, useRef, useSyncExternalStore } from "react";
import type { LiveListener } from "../live/live.ts";
import type { LiveState } from "../live/live-stream.ts";
import { useApp } from "./app-context.ts";

/** Calls the listener for each batch of changes while the page is shown. */
export function useLive(listener: LiveListener): void {
  const { live } = useApp();
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(
    () =>
      live.listen({
        onEvents: (events) => latest.current.onEvents(events),
        onReset: () => latest.current.onReset(),
      }),
    [live],
  );
}

export function useLiveState(): LiveState {
  const { live } = useApp();
  return useSyncExternalStore(live.subscribeState, live.readState);
}
