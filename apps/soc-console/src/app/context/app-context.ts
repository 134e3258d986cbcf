import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import type { Live, LiveListener } from "../live/live.ts";
import type { LiveState } from "../live/live-stream.ts";
import type { Pace } from "../server/pace.ts";
import type { Server } from "../server/server.ts";
import type { SharedReads } from "../server/shared-reads.ts";
import { type Me, meets, type Need, type Session, type SessionState } from "../session/session.ts";
import type { StepUp } from "../session/step-up.ts";

/** Calls the listener for each batch of events while the page is shown. */
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

export function useSessionState(): SessionState {
  const { session } = useApp();
  return useSyncExternalStore(session.subscribe, session.read);
}

/** The signed-in user. Use only below the frame, which requires a session. */
export function useMe(): Me {
  const state = useSessionState();
  if (!("me" in state)) throw new Error("useMe needs a signed-in user");
  return state.me;
}

/** Whether the user has all of these permissions. The console hides what the user may not do. */
export function useMay(...needs: readonly Need[]): boolean {
  return meets(useMe(), needs);
}

/** Services that every page uses. main.tsx creates them once. */
export interface App {
  server: Server;
  sharedReads: SharedReads;
  pace: Pace;
  live: Live;
  session: Session;
  stepUp: StepUp;
}

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error("useApp needs an AppContext");
  return app;
}
