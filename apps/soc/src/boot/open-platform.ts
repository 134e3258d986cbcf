import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { createFixedWindows } from "@kit/http/limits";
import type { Log } from "@kit/log";
import type { MosquittoSettings } from "../adapters/broker/mosquitto.ts";
import { createDatabase, type DatabaseDeps, type DatabaseLimits } from "../adapters/postgres.ts";
import { buildShowcase } from "../demo/showcase.ts";
import type { Authority, DeviceSettings } from "../devices/module.ts";
import { type Background, createBase } from "../foundation/base.ts";
import type { Database } from "../foundation/database/tables.ts";
import { createStreams, type StreamServers } from "../foundation/events/streams.feature.ts";
import { openKnownKey } from "../foundation/platform-keys/platform-keys.feature.ts";
import { PROCESS_ROLES, type ProcessRole } from "../foundation/process-role.ts";
import type { Mode } from "../foundation/runtime/runtime.schema.ts";
import { createShowcaseClock } from "../foundation/showcase/showcase-clock.ts";
import { createYamlReader, type YamlReaderDeps } from "../foundation/yaml/yaml-reader.ts";
import type { Machine } from "../identity/module.ts";
import { requireKnownStores } from "../logs/module.ts";
import type { LogStore } from "../ports/log-store.ts";
import type { AuditVariables } from "./files/audit-files.ts";
import type { StorageSettings } from "./files/file-storage.ts";
import type { ModelVariables } from "./files/model-files.ts";
import { DEVICES_CA, type ResponseSettings, readOperatorFiles } from "./files/operator-files.ts";
import type { SignInVariables } from "./files/sign-in-files.ts";
import type { TpmFiles } from "./files/tpm-files.ts";
import { createLogMigration, createSweeper } from "./lifecycle.ts";
import type { PlatformNeeds } from "./platform-needs.ts";
import { createPlatform } from "./wire.ts";

const DEFAULT_PARTITIONS = 12;

export interface PlatformSettings {
  mode: Mode;
  databaseUrl: string | undefined;
  /** The limits of processes that serve requests, and of workers. */
  databaseLimits?: Partial<DatabaseLimits>;
  workerDatabaseLimits?: Partial<DatabaseLimits>;
  workflowConnections?: number;
  migrationsFolder: string;
  playbooksFolder: string;
  startYamlThread: YamlReaderDeps["startThread"];
  dataFolder: string;
  ledgerKeyFile: string;
  channelsKeyFile?: string | undefined;
  devicesCaFile?: string | undefined;
  machine: Machine;
  /** The address under which clients reach the service. */
  publicUrl?: string | undefined;
  response: ResponseSettings;
  model?: ModelVariables | undefined;
  audit?: AuditVariables | undefined;
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
  /**
   * The database belongs to a platform with other keys, or gives this process other rights, or a log store is too old:
   * this process must exit.
   */
  onRefused?: DatabaseDeps["onRefused"];
  clock: Clock;
  ids: Ids;
  log: Log;
}

const MAX_FIRST_TRIES = 5;
// Loops check availability at different moments, and their own statements detect an outage.
const AVAILABLE_TO_LOOPS_MS = 1000;

/** The roles whose processes serve users and senders. */
const ANSWERING_ROLES: readonly ProcessRole[] = ["api", "intake"];

/** The roles whose processes run the `background` of the features and delete old records. */
const KEEPING_ROLES: readonly ProcessRole[] = ["api", "worker"];

/** Opens the platform on its database, for a process with these roles. */
export async function openPlatform(
  { settings, logStore, firstAdmin, onRefused, clock, ids, log }: PlatformParts,
  roles: readonly ProcessRole[] = PROCESS_ROLES,
) {
  const { mode, databaseUrl, response } = settings;
  const { openAuthority, authorityFile, ...given } = await readOperatorFiles({ ...settings, clock, ids });
  const isAnswering = roles.some((role) => ANSWERING_ROLES.includes(role));
  const database = createDatabase({
    url: databaseUrl,
    migrationsFolder: settings.migrationsFolder,
    clock,
    log,
    limits: { ...(!isAnswering && { availableMs: AVAILABLE_TO_LOOPS_MS }), ...settings.databaseLimits },
    ...(onRefused && { onRefused }),
    async onFirstAnswer(answering) {
      for (const feature of platform.registrations) await feature.onFirstAnswer?.(answering);
    },
  });
  const yaml = createYamlReader({ startThread: settings.startYamlThread, clock, log });
  const showcase = createShowcaseClock(clock, buildShowcase);
  const base = createBase({ mode, database, showcase, sealer: given.ledgerKey, yaml, clock, ids, log });
  const ca = { name: "devices-ca", variable: DEVICES_CA, path: authorityFile, open: openAuthority } as const;
  const authority = openOnce(() => (databaseUrl === undefined ? ca.open() : openKnownKey({ ...ca, database, clock })));
  const files = { ...given, authority };
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
    agentCases: response.agentCases ?? false,
    notifyPrivate: response.notifyPrivate,
    logStore,
    streams,
    windows,
    firstAdmin,
    broker: prepareMosquitto(settings.broker, authority, clock),
  });
  const sweeps = platform.registrations.flatMap((feature) => feature.sweeps ?? []);
  const isKeeping = roles.some((role) => KEEPING_ROLES.includes(role));
  const background: Background[] = isKeeping
    ? platform.registrations.flatMap((feature) => feature.background ?? [])
    : [];
  background.push({ start: () => undefined, close: () => yaml.close() });
  if (databaseUrl !== undefined) {
    const requireKnown = (identities: readonly string[]) => requireKnownStores(database.db, identities);
    background.push(createLogMigration({ logStore, requireKnown, onRefused, clock, log }));
    if (isKeeping) background.push(createSweeper({ sweeps, clock, ids, log }));
  }
  return { base, database, streams, windows, platform, background };
}

/**
 * If the database refuses this process, it ends before any port opens. Waits for a slow first response, but not for an
 * unreachable database.
 */
export async function awaitFirstAnswer({ isAvailable }: Pick<Database, "isAvailable">): Promise<void> {
  for (let tries = 1; tries < MAX_FIRST_TRIES && !(await isAvailable()); tries += 1);
}

/** A failure is not cached: the next use tries again. */
function openOnce<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/** Only a process that administers the broker loads its client. */
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
  const { createNatsSource } = await import("../adapters/nats/nats.ts");
  const { createNatsServers, deleteUpTo, listStreams } = await import("../adapters/nats/nats-servers.ts");
  const servers = createNatsServers(deps);
  return {
    openSource: (options) => createNatsSource({ ...options, ...deps, servers }),
    listStreams: (subjects) => listStreams(servers, subjects),
    deleteUpTo: (name, place) => deleteUpTo(servers, name, place),
    close: () => servers.close(),
  };
}
