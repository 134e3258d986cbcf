import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import type { FastifyRequest } from "fastify";
import { BUDGETS } from "./budgets.ts";
import { systemRoutes } from "./system/system.routes.ts";
import type { SystemService } from "./system/system.service.ts";
import { requireToken } from "./token/require-token.ts";

export interface PlayerAppDeps {
  clock: Clock;
  ids: Ids;
  log: Log;
  tls: FrameOptions["tls"];
  isLimited: boolean;
  dashboardFolder: string;
  currentToken: () => string;
  system: SystemService;
}

/** Puts the features together, in the order of the API document. */
export async function createPlayerApp(deps: PlayerAppDeps): Promise<Frame> {
  const { clock, ids, log, tls, isLimited, dashboardFolder, currentToken, system } = deps;
  // What belongs to no route is a file of the dashboard, or nothing.
  const budgetOf = ({ routeOptions }: FastifyRequest) => BUDGETS[routeOptions.config.budget ?? "static"];
  const app = createFrame({
    errorBody: (error) => ({ error }),
    ids,
    log,
    tls,
    bodyBytes: 16 * 1024,
    bodyDepth: 8,
    pages: { folder: dashboardFolder, api: "/api" },
    ...(isLimited && { limits: { windows: createFixedWindows({ clock }), budgetOf } }),
  });
  requireToken(app, currentToken);
  await app.register(
    async (api) => {
      await api.register(systemRoutes(system));
    },
    { prefix: "/api" },
  );
  return app;
}
