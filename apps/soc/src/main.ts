import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { readVersion } from "@kit/config/version";
import { addressOf, closeGracefully, listen, type RunningService, runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { createDatabase } from "./adapters/postgres.ts";
import { createSocApp } from "./app.ts";
import { createTokens } from "./auth/tokens.ts";
import { readConfig } from "./config.ts";
import { createRuntimeService } from "./runtime/runtime.service.ts";
import { createFirstAdmin, createUsersService } from "./users/users.service.ts";
import { createShowcaseUsersStore, createUsersStore, type UsersStore } from "./users/users.store.ts";

const clock = createClock();

async function start(): Promise<RunningService> {
  const { host, port, mode, databaseUrl, dataFolder, adminPassword, ...config } = readConfig(process.env);
  const ids = createIds(clock);
  const log = createLog({ clock, level: "info" });

  const welcomeAdmin = async (store: UsersStore): Promise<void> => {
    const password = adminPassword ?? ids.secret(15).toString("base64url");
    const isCreated = await createFirstAdmin(store, password);
    if (isCreated && adminPassword === undefined) await showPassword(dataFolder, password);
  };
  const database = createDatabase({
    url: databaseUrl,
    migrationsFolder: fileURLToPath(new URL("../src/migrations", import.meta.url)),
    clock,
    log,
    onFirstAnswer: (db) => welcomeAdmin(createUsersStore(db)),
  });
  const runtime = createRuntimeService({ mode, database });
  const showcaseUsers = createShowcaseUsersStore();
  if ((await runtime.truth()).uses_showcase_data) await welcomeAdmin(showcaseUsers);

  const app = await createSocApp({
    ...config,
    clock,
    ids,
    log,
    version: await readVersion(new URL("../package.json", import.meta.url)),
    consoleFolder: fileURLToPath(new URL("../../soc-console/dist", import.meta.url)),
    tokens: await createTokens(clock, ids),
    runtime,
    users: createUsersService({
      runtime,
      stores: { database: createUsersStore(database.db), showcase: showcaseUsers },
    }),
  });
  await listen(app, { host, port }, "SOC_PORT");
  return {
    readyLine: `Manara SOC is ready at ${addressOf({ host, port, hasTls: config.tls !== undefined })} in mode ${mode}`,
    async stop() {
      await closeGracefully(app, clock);
      await database.close();
    },
  };
}

/** Shown once, to a person at a terminal; where output is collected it goes to a file that only the owner can read. */
async function showPassword(dataFolder: string, password: string): Promise<void> {
  if (process.stdout.isTTY) {
    process.stdout.write(`Sign in as admin with the password ${password} (shown only now)\n`);
    return;
  }
  const path = join(dataFolder, "initial-admin-password");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, `${password}\n`, { mode: 0o600 });
  process.stdout.write(`Sign in as admin with the password in ${path}\n`);
}

await runService(process, clock, start);
