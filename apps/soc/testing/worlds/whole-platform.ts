import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createPlatform, type PlatformParts } from "../../src/composition/platform.ts";
import type { Mode } from "../../src/foundation/runtime/runtime.schema.ts";
import { createFirstAdmin } from "../../src/identity/users/users.service.ts";
import type { LogStore } from "../../src/logs/search/log-store.ts";

import { absentLogStore } from "../servers/absent-log-store.ts";

/** The password of the administrator `admin`. */
export const ADMIN_PASSWORD = "correct horse battery";
const NO_LIMIT = 1_000_000;

/** The whole service, put together as the product is, without limits. Those of one database share a data folder. */
export async function wholePlatform(
  mode: Mode,
  databaseUrl?: string,
  sharedFolder?: string,
  logStore: LogStore = absentLogStore(),
  settings: Partial<Pick<PlatformParts, "syslog" | "stream">> = {},
) {
  const folder = sharedFolder ?? (await mkdtemp(join(tmpdir(), "soc-")));
  const clock = createClock();
  const platform = await createPlatform({
    mode,
    databaseUrl,
    migrationsFolder: join(import.meta.dirname, "../../src/migrations"),
    dataFolder: folder,
    ledgerKeyFile: join(folder, "ledger.key"),
    logStore,
    stream: { address: "outbox", logBytes: 64 * 1024 ** 2 },
    syslog: { host: "127.0.0.1" },
    response: {
      fourEyes: false,
      edrUrl: undefined,
      edrKeyFile: undefined,
      httpAdaptersFile: undefined,
      smtpUrl: undefined,
      smtpFrom: undefined,
    },
    playbooksFolder: join(import.meta.dirname, "../../playbooks"),
    machine: { deployment_mode: "one_box", hostname: "box", platform: "linux" },
    welcomeAdmin: async (users) => void (await createFirstAdmin(users, ADMIN_PASSWORD)),
    tls: undefined,
    version: "2.0.0",
    consoleFolder: import.meta.dirname,
    addressLimitPerMinute: NO_LIMIT,
    generalLimitPerMinute: NO_LIMIT,
    intakeLimitPerMinute: NO_LIMIT,
    playbookLimitPerMinute: NO_LIMIT,
    ...settings,
    clock,
    ids: createIds(clock),
    log: silentLog,
  });
  const close = async () => {
    await platform.close();
    if (sharedFolder === undefined) await rm(folder, { recursive: true });
  };
  return { app: platform.app, close };
}
