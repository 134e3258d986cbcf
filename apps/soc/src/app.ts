import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import { authRoutes } from "./auth/auth.routes.ts";
import { createAuthService } from "./auth/auth.service.ts";
import { requireCaller } from "./auth/require-caller.ts";
import type { Tokens } from "./auth/tokens.ts";
import { healthRoutes } from "./health/health.routes.ts";
import { runtimeRoutes } from "./runtime/runtime.routes.ts";
import type { RuntimeService } from "./runtime/runtime.service.ts";
import type { UsersService } from "./users/users.service.ts";

export interface SocAppDeps {
  clock: Clock;
  ids: Ids;
  log: Log;
  tls: FrameOptions["tls"];
  version: string;
  consoleFolder: string;
  addressLimitPerMinute: number;
  generalLimitPerMinute: number;
  tokens: Tokens;
  runtime: RuntimeService;
  users: UsersService;
}

/** Puts the features together, in the order of the API document. */
export async function createSocApp(deps: SocAppDeps): Promise<Frame> {
  const { clock, ids, log, tls, version, consoleFolder, tokens, runtime, users } = deps;
  const windows = createFixedWindows({ clock });
  const perAddress = { name: "address", limit: deps.addressLimitPerMinute, windowMs: 60_000 };
  const general = { name: "general", limit: deps.generalLimitPerMinute, windowMs: 60_000 };
  const app = createFrame({
    errorBody: (detail) => ({ detail }),
    ids,
    log,
    tls,
    bodyBytes: 1024 * 1024,
    bodyDepth: 32,
    pages: { folder: consoleFolder, api: "/api" },
    // Health is asked by machines that would be locked out otherwise, and costs nothing.
    limits: { windows, budgetOf: ({ routeOptions }) => (routeOptions.url === "/health" ? undefined : perAddress) },
  });
  requireCaller(app, { tokens, windows, general });
  await app.register(healthRoutes(version, clock));
  await app.register(
    async (api) => {
      await api.register(authRoutes(createAuthService({ users, tokens, windows })));
      await api.register(runtimeRoutes(runtime));
    },
    { prefix: "/api/v1" },
  );
  return app;
}
