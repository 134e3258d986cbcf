import { createContext, useContext } from "react";
import type { Live } from "../live/live.ts";
import type { Pace } from "../server/pace.ts";
import type { Server } from "../server/server.ts";
import type { Session } from "../session/session.ts";
import type { StepUp } from "../session/step-up.ts";

/** What every page uses; made once in main.tsx. */
export interface App {
  server: Server;
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
