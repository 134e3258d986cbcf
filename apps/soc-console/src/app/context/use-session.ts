import { useSyncExternalStore } from "react";
import { type Me, meets, type Need, type SessionState } from "../session/session.ts";
import { useApp } from "./app-context.ts";

export function useSessionState(): SessionState {
  const { session } = useApp();
  return useSyncExternalStore(session.subscribe, session.read);
}

/** Who uses the page. Only below the frame, which is shown to signed-in users. */
export function useMe(): Me {
  const state = useSessionState();
  if (!("me" in state)) throw new Error("useMe needs a signed-in user");
  return state.me;
}

/** Whether the user has all of these: what a user may not do is absent. */
export function useMay(...needs: readonly Need[]): boolean {
  return meets(useMe(), needs);
}
