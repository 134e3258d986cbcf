import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import type { MosquittoSettings } from "../adapters/broker/mosquitto.ts";
import { createDatabase, type DatabaseLimits } from "../adapters/postgres.ts";
import type { Machine } from "../casework/sites/topology.service.ts";
import type { Authority } from "../devices/certificates/authority.ts";
import type { DeviceSettings } from "../devices/registry/devices.feature.ts";
import { createBase } from "../foundation/base.ts";
import { createStreams, type StreamServers } from "../foundation/events/streams.feature.ts";
import type { Background } from "../foundation/feature.ts";
import type { Mode } from "../foundation/runtime/runtime.schema.ts";
import { createShowcaseClock } from "../foundation/showcase/showcase-clock.ts";
import type { LogStore } from "../logs/search/log-store.ts";
import { buildShowcase } from "../showcase/showcase.ts";
import type { StorageSettings } from "./files/file-storage.ts";
import type { ModelVariables } from "./files/model-files.ts";
import { type ResponseSettings, readOperatorFiles } from "./files/operator-files.ts";
import type { SignInVariables } from "./files/sign-in-files.ts";
import type { TpmFiles } from "./files/tpm-files.ts";
import { createLogMigration, createSweeper } from "./lifecycle.ts";
import { createPlatform } from "./platform.ts";
import type { PlatformNeeds } from "./platform-needs.ts";

const DEFAULT_PARTITIONS = 12;

export interface PlatformSettings {
  mode: Mode;
  databaseUrl: string | undefined;
  /** Of each process that serves requests, and of each worker. */
  databaseLimits?: Partial<DatabaseLimits>;
  workerDatabaseLimits?: Partial<DatabaseLimits>;
  workflowConnections?: number;
  migrationsFolder: string;
  playbooksFolder: string;
  dataFolder: string;
  ledgerKeyFile: string;
  machine: Machine;
  /** The address under which clients reach the service. */
  publicUrl?: string | undefined;
  response: ResponseSettings;
  model?: ModelVariables | undefined;
  tpm?: TpmFiles | undefined;
  signIn?: SignInVariables | undefined;
  storage?: StorageSettings | undefined;
  /** The address is `outbox` or the URLs of the NATS servers; `logBytes` limits the logs that wait for the writer. */
  stream: { address: string; logBytes: number; partitions?: number };
  syslog: PlatformNeeds["syslog"];
  devices: DeviceSettings;
  broker: MosquittoSettings | undefined;
}

export interface PlatformParts {
  settings: PlatformSettings;
  /** The caller opens it and closes it after the platform. */
  logStore: LogStore;
  firstAdmin: PlatformNeeds["firstAdmin"];
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Opens the platform on its database, for the service and for the worker. */
export async function openPlatform({ settings, logStore, firstAdmin, clock, ids, log }: PlatformParts) {
  const { mode, databaseUrl, response } = settings;
  const files = await readOperatorFiles({ ...settings, clock, ids });
  const database = createDatabase({
    url: databaseUrl,
    migrationsFolder: settings.migrationsFolder,
    clock,
    log,
    limits: settings.databaseLimits ?? {},
    async onFirstAnswer(answering) {
      for (const feature of platform.features) await feature.onFirstAnswer?.(answering);
    },
  });
  const base = createBase({ mode, database, showcase: createShowcaseClock(clock, buildShowcase), clock, ids, log });
  const { address, logBytes, partitions = DEFAULT_PARTITIONS } = settings.stream;
  const servers = address === "outbox" ? undefined : await prepareNats({ url: address, clock, ids, log });
  const streams = createStreams(base, { servers, logBytes, partitions });
  const windows = createFixedWindows({ clock });
  const platform = createPlatform({
    ...settings,
    base,
    files,
    start: { id: ids.next(), at: clock.now(), mode },
    hasDatabase: databaseUrl !== undefined,
    fourEyes: response.fourEyes,
    notifyPrivate: response.notifyPrivate,
    logStore,
    streams,
    windows,
    firstAdmin,
    broker: prepareMosquitto(settings.broker, files.authority, clock),
  });
  const sweeps = platform.features.flatMap((feature) => feature.sweeps ?? []);
  /** Runs in every process of the platform. */
  const background: Background[] = platform.features.flatMap((feature) => feature.background ?? []);
  if (databaseUrl !== undefined) {
    background.push(createLogMigration(logStore, clock, log), createSweeper({ sweeps, clock, ids, log }));
  }
  return { base, database, streams, windows, platform, background };
}

/** Only a process that commands the broker loads its client. */
function prepareMosquitto(
  settings: MosquittoSettings | undefined,
  authority: () => Promise<Authority>,
  clock: Pick<Clock, "sleep">,
) {
  if (!settings) return undefined;
  return async () => {
    const { createMosquitto } = await import("../adapters/broker/mosquitto.ts");
    return createMosquitto({ ...settings, authority: (await authority()).certificate, clock });
  };
}

/** Only a process that uses NATS loads its client. */
async function prepareNats(deps: { url: string; clock: Clock; ids: Ids; log: Log }): Promise<StreamServers> {
  const { createNatsSource } = await import("../adapters/nats.ts");
  const { countMessages, createNatsServers } = await import("../adapters/nats-servers.ts");
  const servers = createNatsServers(deps);
  return {
    openSource: (options) => createNatsSource({ ...options, ...deps, servers }),
    countMessages: (subjects) => countMessages(servers, subjects),
    close: () => servers.close(),
  };
}
