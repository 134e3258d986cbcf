import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { after, deadline, monotonicMs } from "./app/browser/clock.ts";
import { AppContext } from "./app/context/app-context.ts";
import { createLive } from "./app/live/live.ts";
import { createPace } from "./app/server/pace.ts";
import { createServer } from "./app/server/server.ts";
import { createSharedReads } from "./app/server/shared-reads.ts";
import { createSession } from "./app/session/session.ts";
import { createStepUp } from "./app/session/step-up.ts";
import { Console } from "./shell/console.tsx";
import { preloadPage } from "./shell/router.tsx";

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

const session = createSession();
const stepUp = createStepUp();
const pace = createPace({ nowMs: monotonicMs, after });
const server = createServer({
  fetch: (path, options) => fetch(path, options),
  deadline,
  pace,
  token: session.readToken,
  onUnauthenticated: session.end,
  onFactorMissing: session.lackFactor,
  stepUp: stepUp.ask,
});

preloadPage(location.pathname);
createRoot(root).render(
  <StrictMode>
    <AppContext
      value={{ server, sharedReads: createSharedReads(server, session), pace, live: createLive(), session, stepUp }}
    >
      <Console />
    </AppContext>
  </StrictMode>,
);
