import { clientNetworkOf } from "@kit/guard/address";
import { compressJson } from "@kit/http/compression";
import { createFrame, type Frame, type FrameOptions } from "@kit/http/frame";
import { listHostMeasures } from "@kit/http/host-measures";
import { createInstantMeasure } from "@kit/http/instant-measure";
import type { FixedWindows } from "@kit/http/limits";
import { type ProcessUsage, serveMetrics } from "@kit/http/metrics";
import { serveOpenApi } from "@kit/http/openapi";
import type { Tls } from "@kit/http/server";
import { closeGracefully } from "@kit/http/service";
import { toLastRound } from "../adapters/old-days/old-days.ts";
import type { Background, Base, Registrations } from "../foundation/base.ts";
import { createBatch } from "../foundation/batch/batch.feature.ts";
import type { Database } from "../foundation/database/tables.ts";
import { createFullDisks } from "../foundation/health/full-disks.ts";
import { createHealth, type HealthNeeds } from "../foundation/health/health.feature.ts";
import { HEALTH_CHECKS } from "../foundation/health/health.ts";
import { recordExports } from "../foundation/record-exports.ts";
import { requireMode } from "../foundation/runtime/require-mode.ts";
import { renewServed, type TlsFiles } from "../foundation/tls-files.ts";
import { type RequireCallerDeps, requireCaller } from "../identity/module.ts";
import { limitCallerConcurrency } from "../logs/module.ts";
import { createBackupMeasure } from "./backup/last-backup.ts";
import { closeAll, startAll } from "./lifecycle.ts";
import { awaitFirstAnswer, openPlatform, type PlatformParts } from "./open-platform.ts";
import { SOC_OPENAPI } from "./openapi.ts";
import { listNeededParts, type StartRole, selectServed, toRoles } from "./roles.ts";

export interface ServeSettings {
  role: StartRole;
  tls: TlsFiles<Tls> | undefined;
  /** Clients reach the service over TLS, its own or that of a proxy. */
  isHttps?: boolean;
  trustedProxies?: FrameOptions["trustedProxies"];
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
  usage: ProcessUsage;
}

export interface AppParts {
  base: Pick<Base, "db" | "runtime" | "audit" | "clock" | "ids" | "log">;
  registrations: readonly Pick<Registrations, "roles" | "routes" | "rootRoutes" | "guards" | "measures">[];
  auth: Pick<RequireCallerDeps, "callers" | "counters" | "requireFresh">;
  database: Pick<Database, "limitTo">;
  windows: FixedWindows;
  health: Pick<
    HealthNeeds,
    "hasDatabase" | "logStore" | "needed" | "stream" | "eventDelay" | "ledger" | "audit" | "devices" | "fullDisks"
  >;
}

/** Prometheus sends an API key as a bearer token. A key that only delivers logs has no access. */
const METRICS = { needs: ["stats:read"], byKey: true, keySchemes: ["bearer"], worksOffline: true } as const;
const perMinute = (name: string, limit: number) => ({ name, limit, windowMs: 60_000 });

/** Creates the HTTP server with the routes that its role serves, in the order of the list. */
export async function createApp(parts: AppParts, settings: ServeSettings): Promise<Frame> {
  const { base, auth, database, windows } = parts;
  const { runtime, ids, log } = base;
  const roles = toRoles(settings.role);
  const isApi = roles.includes("api");
  const perAddress = perMinute("address", settings.addressLimitPerMinute);
  const app = createFrame({
    errorBody: (detail) => ({ detail }),
    ids,
    log,
    tls: settings.tls?.current(),
    isHttps: settings.isHttps,
    trustedProxies: settings.trustedProxies,
    bodyBytes: 1024 * 1024,
    bodyDepth: 32,
    pages: { folder: isApi ? settings.consoleFolder : undefined, api: "/api" },
    limits: {
      windows,
      budgetOf: ({ routeOptions: { url, config } }) =>
        HEALTH_CHECKS.includes(url) || config.isCountedApart ? undefined : perAddress,
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
  requireMode(
    app,
    () => runtime.truth(),
    () => runtime.requireClock(),
  );
  for (const guard of parts.registrations.flatMap(({ guards = [] }) => guards)) guard(app);
  recordExports(app, base);
  limitCallerConcurrency(app);
  compressJson(app);
  const health = createHealth(base, { ...settings, ...parts.health });
  const measures = [...health.measures, ...parts.registrations.flatMap((each) => each.measures ?? [])];
  serveMetrics(app, METRICS, { ...settings, prefix: "manara_soc", measures, clock: base.clock });
  const { registrations: batch } = createBatch();
  const all: AppParts["registrations"] = [health.probes, health.system, batch, ...parts.registrations];
  const served = selectServed(all, roles);
  for (const routes of served.flatMap(({ rootRoutes = [] }) => rootRoutes)) await app.register(routes);
  await app.register(
    async (api) => {
      for (const routes of served.flatMap((each) => each.routes ?? [])) await api.register(routes);
    },
    { prefix: "/api/v1" },
  );
  if (!isApi) return app;
  serveOpenApi(app, "/api/v1/openapi.json", { needs: "authenticated", bySite: "own", worksOffline: true }, SOC_OPENAPI);
  return app;
}

/** Creates the HTTP server of a process on its opened platform. */
export async function createAppOn(
  opened: Awaited<ReturnType<typeof openPlatform>>,
  { logStore, settings: { databaseUrl, dataFolder, syslog } }: Pick<PlatformParts, "logStore" | "settings">,
  settings: ServeSettings,
): Promise<Frame> {
  const { platform, streams } = opened;
  const needed = listNeededParts(settings.role, streams !== undefined);
  const fullDisks = createFullDisks(dataFolder, opened.database);
  const health = { ...platform.health, logStore, needed, fullDisks, hasDatabase: databaseUrl !== undefined };
  const measures = [
    ...listHostMeasures({
      folders: { data: dataFolder },
      certificates: () => ({ https: settings.tls?.current(), syslog: syslog.tls?.current() }),
    }),
    createBackupMeasure(dataFolder),
    createInstantMeasure({
      name: "old_logs_moved_timestamp_seconds",
      help: "When all days of logs that are due were last seen in the bucket, in seconds since 1970; no value without one.",
      path: toLastRound(dataFolder),
    }),
  ];
  const registrations = [...platform.registrations, { measures }];
  const { auth } = platform.services;
  const app = await createApp({ ...opened, auth, health, registrations }, settings);
  if (settings.tls) renewServed(app, settings.tls, opened.base);
  return app;
}

/** Starts the process that serves requests, receives logs, or both. */
export async function serve(parts: PlatformParts, settings: ServeSettings) {
  const roles = toRoles(settings.role);
  const opened = await openPlatform(parts, roles);
  const { base, database, streams, platform, background } = opened;
  await awaitFirstAnswer(database);
  await platform.ensureShowcaseAdmin();
  const app = await createAppOn(opened, parts, settings);
  const serving: Background[] = selectServed(platform.registrations, roles).flatMap((each) => each.serving ?? []);
  if (streams) serving.unshift(streams);
  // A worker that never ran must not write its last state, because without a database it cannot be written.
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
