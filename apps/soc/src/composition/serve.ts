import { clientNetworkOf } from "@kit/guard/address";
import { compressJson } from "@kit/http/compression";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import type { FixedWindows } from "@kit/http/limits";
import { serveOpenApi } from "@kit/http/openapi";
import { closeGracefully } from "@kit/http/service";
import { recordExports } from "../foundation/audit/record-exports.ts";
import type { Base } from "../foundation/base.ts";
import { createBatch } from "../foundation/batch/batch.feature.ts";
import type { Database } from "../foundation/database/tables.ts";
import type { Background, Feature } from "../foundation/feature.ts";
import { createHealth, type HealthNeeds } from "../foundation/health/health.feature.ts";
import { requireMode } from "../foundation/runtime/require-mode.ts";
import { type RequireCallerDeps, requireCaller } from "../identity/auth/require-caller.ts";
import { takeTurns } from "../logs/query/caller-turns.ts";
import { closeAll, startAll } from "./lifecycle.ts";
import { openPlatform, type PlatformParts } from "./open-platform.ts";
import { SOC_OPENAPI } from "./openapi.ts";

export interface ServeSettings {
  tls: FrameOptions["tls"];
  version: string;
  consoleFolder: string;
  addressLimitPerMinute: number;
  generalLimitPerMinute: number;
  intakeLimitPerMinute: number;
  playbookLimitPerMinute: number;
  chatLimitPerMinute: number;
  investigateLimitPerMinute: number;
  /** The restarts of this process's own children. */
  children: HealthNeeds["children"];
}

export interface AppParts {
  base: Pick<Base, "db" | "runtime" | "audit" | "clock" | "ids" | "log">;
  features: readonly Pick<Feature, "routes" | "rootRoutes">[];
  auth: Pick<RequireCallerDeps, "callers" | "counters" | "requireFresh">;
  database: Pick<Database, "limitTo">;
  windows: FixedWindows;
  health: Pick<HealthNeeds, "hasDatabase" | "logStore" | "stream" | "eventDelay" | "ledger" | "devices">;
}

/** Frequent and cheap requests, which are not limited. */
const CHECKS: readonly (string | undefined)[] = ["/health", "/ready"];
const perMinute = (name: string, limit: number) => ({ name, limit, windowMs: 60_000 });

/** The HTTP server with the routes of all features, in the order of the list. */
export async function createApp(parts: AppParts, settings: ServeSettings): Promise<Frame> {
  const { base, auth, database, windows } = parts;
  const { runtime, ids, log } = base;
  const perAddress = perMinute("address", settings.addressLimitPerMinute);
  const app = createFrame({
    errorBody: (detail) => ({ detail }),
    ids,
    log,
    tls: settings.tls,
    bodyBytes: 1024 * 1024,
    bodyDepth: 32,
    pages: { folder: settings.consoleFolder, api: "/api" },
    limits: {
      windows,
      budgetOf: ({ routeOptions: { url, config } }) =>
        CHECKS.includes(url) || config.isCountedApart ? undefined : perAddress,
      findClient: clientNetworkOf,
    },
  });
  requireCaller(app, {
    ...auth,
    limitTo: database.limitTo,
    general: perMinute("general", settings.generalLimitPerMinute),
    intake: perMinute("intake", settings.intakeLimitPerMinute),
    playbooks: perMinute("playbooks", settings.playbookLimitPerMinute),
    chat: perMinute("chat", settings.chatLimitPerMinute),
    investigations: perMinute("investigations", settings.investigateLimitPerMinute),
  });
  requireMode(app, () => runtime.truth());
  recordExports(app, base);
  takeTurns(app);
  compressJson(app);
  const health = createHealth(base, { ...settings, ...parts.health });
  const features: AppParts["features"] = [health, createBatch(), ...parts.features];
  for (const routes of features.flatMap(({ rootRoutes = [] }) => rootRoutes)) await app.register(routes);
  await app.register(
    async (api) => {
      for (const routes of features.flatMap((feature) => feature.routes ?? [])) await api.register(routes);
    },
    { prefix: "/api/v1" },
  );
  serveOpenApi(app, "/api/v1/openapi.json", { needs: "authenticated", bySite: "own", worksOffline: true }, SOC_OPENAPI);
  return app;
}

/** Starts the process that answers requests and receives logs. */
export async function serve(parts: PlatformParts, settings: ServeSettings) {
  const { base, database, streams, windows, platform, background } = await openPlatform(parts);
  const { features, auth } = platform;
  const {
    logStore,
    settings: { databaseUrl },
  } = parts;
  const health = { ...platform.health, logStore, hasDatabase: databaseUrl !== undefined };
  await platform.ensureShowcaseAdmin();
  const app = await createApp({ base, features, auth, database, windows, health }, settings);
  const serving: Background[] = features.flatMap((feature) => feature.serving ?? []);
  if (streams) serving.unshift(streams);
  // A worker that never ran must not write its last state: without a database there is nowhere to write it.
  const running = parts.settings.mode === "dummy" ? background : [...background, ...serving];
  await startAll(running);
  return {
    app,
    async close() {
      await closeAll(running);
      await closeGracefully(app, base.clock);
      await database.close();
    },
  };
}
