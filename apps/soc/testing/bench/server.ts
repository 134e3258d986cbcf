import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import { createPlatform } from "../../src/platform.ts";
import { createFirstAdmin } from "../../src/users/users.service.ts";

const PASSWORD = "a password of the bench";
const clock = createClock();

/** A PostgreSQL that keeps its promises on disk, or a database that an earlier run has left. */
export async function startServer(givenUrl: string | undefined) {
  if (givenUrl !== undefined) return { url: givenUrl, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "bench-soc-"));
  const settings = { shared_buffers: "256MB" };
  const server = await startPostgres({ folder, port: await freePort(), settings });
  const owner = new pg.Client(`${server.url}/postgres`);
  await owner.connect();
  await owner.query("CREATE DATABASE soc");
  await owner.end();
  return {
    url: `${server.url}/soc`,
    async stop() {
      await server.stop("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
}

/** The complete platform in this process, asked by a signed-in admin. */
export async function startPlatform(url: string) {
  const folder = mkdtempSync(join(tmpdir(), "bench-soc-"));
  const platform = await createPlatform({
    mode: "real",
    databaseUrl: url,
    migrationsFolder: `${import.meta.dirname}/../../src/migrations`,
    dataFolder: folder,
    ledgerKeyFile: join(folder, "ledger.key"),
    machine: { deployment_mode: "one_box", hostname: "bench", platform: "linux" },
    welcomeAdmin: async (users) => void (await createFirstAdmin(users, PASSWORD)),
    clock,
    ids: createIds(clock),
    log: silentLog,
    tls: undefined,
    version: "0.0.0",
    consoleFolder: folder,
    addressLimitPerMinute: 10_000_000,
    generalLimitPerMinute: 10_000_000,
  });
  const { app } = platform;
  // The tables are brought up to date behind the first answer.
  const payload = { username: "admin", password: PASSWORD };
  let signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  for (let tries = 0; signedIn.statusCode === 503 && tries < 600; tries += 1) {
    await clock.sleep(200);
    signedIn = await app.inject({ method: "POST", url: "/api/v1/auth/token", payload });
  }
  const headers = { authorization: `Bearer ${signedIn.json().access_token}` };

  return {
    get: async (path: string, query: Readonly<Record<string, string>> = {}) => {
      const answer = await app.inject({ url: `${path}?${new URLSearchParams(query)}`, headers });
      if (answer.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.body}`);
      return answer.json();
    },
    async close() {
      await platform.close();
      rmSync(folder, { recursive: true });
    },
  };
}
export type AskedPlatform = Awaited<ReturnType<typeof startPlatform>>;
