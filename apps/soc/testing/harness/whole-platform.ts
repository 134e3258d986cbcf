import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { openPlatform, type PlatformSettings } from "../../src/boot/open-platform.ts";
import { WORKING_ROLES } from "../../src/boot/roles.ts";
import { type ServeSettings, serve } from "../../src/boot/serve.ts";
import { work } from "../../src/boot/work.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import type { LogStore } from "../../src/ports/log-store.ts";

import { absentLogStore } from "../servers/absent-log-store.ts";
import { startYamlThread } from "../servers/yaml-thread.ts";

/** The hosts of a platform have the same keys, whatever their data folders. */
const KEYS = join(tmpdir(), `soc-keys-${process.pid}`);
/** The ledger key of all platforms of this process. */
const LEDGER_KEY_FILE = join(KEYS, "ledger.key");
/** The password of the administrator `admin`. */
export const ADMIN_PASSWORD = "correct horse battery";
const FIRST_ADMIN = { password: ADMIN_PASSWORD, onCreated: async () => undefined };
const NO_LIMIT = 1_000_000;
const NO_RESTARTS = () => ({ restarts_24h: 0, last_reason: null });

type PlatformOverrides = Partial<
  Pick<PlatformSettings, "syslog" | "stream" | "response" | "devices" | "broker" | "signIn" | "publicUrl">
> &
  Partial<Omit<ServeSettings, "role" | "tls">> & { clock?: Clock; onRefused?: (refusal: Error) => void };

/** Settings that only tests about them change. */
export const NO_RESPONSE_SETTINGS: PlatformSettings["response"] = {
  fourEyes: false,
  edrUrl: undefined,
  edrKeyFile: undefined,
  httpAdaptersFile: undefined,
  notifyPrivate: undefined,
  smtpUrl: undefined,
  smtpFrom: undefined,
};

/** The whole service as the product assembles it, without rate limits. Services on one database share a data folder. */
export async function wholePlatform(
  mode: Mode,
  databaseUrl?: string,
  sharedFolder?: string,
  logStore: LogStore = absentLogStore(),
  changed: PlatformOverrides = {},
) {
  const folder = sharedFolder ?? (await mkdtemp(join(tmpdir(), "soc-")));
  const { clock = createClock(), onRefused, ...rest } = changed;
  // Each constructor takes the fields that it knows.
  const settings = { ...settingsFor(mode, databaseUrl, folder), ...rest };
  const platform = await serve(
    {
      ...{ settings, logStore, firstAdmin: FIRST_ADMIN, clock, ids: createIds(clock), log: silentLog },
      ...(onRefused && { onRefused }),
    },
    {
      version: "2.0.0",
      consoleFolder: import.meta.dirname,
      addressLimitPerMinute: NO_LIMIT,
      generalLimitPerMinute: NO_LIMIT,
      intakeLimitPerMinute: NO_LIMIT,
      playbookLimitPerMinute: NO_LIMIT,
      chatLimitPerMinute: NO_LIMIT,
      investigateLimitPerMinute: NO_LIMIT,
      children: { logEngine: NO_RESTARTS, worker: NO_RESTARTS },
      usage: process,
      ...rest,
      role: "all",
      tls: undefined,
    },
  );
  const close = async () => {
    await platform.close();
    if (sharedFolder === undefined) await rm(folder, { recursive: true });
  };
  return { app: platform.app, close };
}

/** The worker of a service in real mode, in this process. */
export async function wholeWorker(
  databaseUrl: string,
  folder: string,
  changed: PlatformOverrides = {},
  logStore: LogStore = absentLogStore(),
) {
  const clock = createClock();
  const settings = { ...settingsFor("real", databaseUrl, folder), ...changed };
  const parts = { settings, logStore, firstAdmin: FIRST_ADMIN, clock, ids: createIds(clock) };
  const onLeaseLost = (reason: Error) => {
    throw reason;
  };
  return work({ ...parts, log: silentLog }, { roles: WORKING_ROLES, executorId: createIds(clock).next(), onLeaseLost });
}

/** The features of a platform in dummy mode, without a server and not started. */
export async function openedPlatform() {
  const folder = await mkdtemp(join(tmpdir(), "soc-"));
  const clock = createClock();
  const settings = settingsFor("dummy", undefined, folder);
  const parts = {
    settings,
    logStore: absentLogStore(),
    firstAdmin: FIRST_ADMIN,
    clock,
    ids: createIds(clock),
    log: silentLog,
  };
  const opened = await openPlatform(parts);
  await rm(folder, { recursive: true });
  return opened;
}

/** The features of a platform in real mode on its database, without a server and not started. */
export async function realPlatform(databaseUrl: string, folder: string, logStore: LogStore) {
  const clock = createClock();
  const settings = settingsFor("real", databaseUrl, folder);
  return openPlatform({ settings, logStore, firstAdmin: undefined, clock, ids: createIds(clock), log: silentLog });
}

function settingsFor(mode: Mode, databaseUrl: string | undefined, folder: string): PlatformSettings {
  return {
    mode,
    databaseUrl,
    migrationsFolder: join(import.meta.dirname, "../../src/migrations"),
    playbooksFolder: join(import.meta.dirname, "../../playbooks"),
    startYamlThread,
    dataFolder: folder,
    ledgerKeyFile: LEDGER_KEY_FILE,
    channelsKeyFile: join(KEYS, "channels.key"),
    machine: { deployment_mode: "one_box", hostname: "box", platform: "linux" },
    response: NO_RESPONSE_SETTINGS,
    stream: { address: "outbox", logBytes: 64 * 1024 ** 2 },
    syslog: { host: "127.0.0.1" },
    devices: { server: undefined, names: ["localhost", "127.0.0.1"], brokerFolder: join(folder, "broker") },
    broker: undefined,
  };
}
