import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import { createDatabase } from "../../src/adapters/postgres.ts";
import type { LogStore } from "../../src/ports/log-store.ts";
import { signIn } from "../harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../harness/whole-platform.ts";

/** Shorter than the lifetime of a token. */
const TOKEN_MS = 5 * 60_000;
const clock = createClock();

/** Starts a PostgreSQL with fsync, or uses the database of an earlier run. */
export async function startServer(givenUrl: string | undefined) {
  if (givenUrl !== undefined) return { url: givenUrl, pid: undefined, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "bench-soc-"));
  const settings = { shared_buffers: "256MB" };
  const server = await startPostgres({ folder, port: await freePort(), settings });
  const owner = new pg.Client(`${server.url}/postgres`);
  await owner.connect();
  await owner.query("CREATE DATABASE soc");
  await owner.end();
  return {
    url: `${server.url}/soc`,
    pid: server.pid,
    async stop() {
      await server.stop("SIGINT");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Migrations may take longer than a sign-in waits. */
async function migrate(url: string): Promise<void> {
  const migrationsFolder = join(import.meta.dirname, "../../src/migrations");
  const onFirstAnswer = async () => undefined;
  const database = createDatabase({ url, migrationsFolder, clock, log: silentLog, onFirstAnswer });
  while (!(await database.isAvailable())) await clock.sleep(100);
  await database.close();
}

/** The complete platform in this process, with a signed-in administrator. */
export async function startPlatform(url: string, logStore?: LogStore) {
  await migrate(url);
  const { app, close } = await wholePlatform("real", url, undefined, logStore);

  async function createGet(username = "admin") {
    let headers = await signIn(app, username);
    let signedInMs = clock.monotonicMs();
    return async (path: string, query: Readonly<Record<string, string>> = {}) => {
      if (clock.monotonicMs() - signedInMs > TOKEN_MS) {
        headers = await signIn(app, username);
        signedInMs = clock.monotonicMs();
      }
      const answer = await app.inject({ url: `${path}?${new URLSearchParams(query)}`, headers });
      if (answer.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.body}`);
      return answer.json();
    };
  }

  return {
    get: await createGet(),
    /** Reads as a new user with these sites, which are created if they do not exist. */
    async getFor(sites: readonly string[]) {
      const headers = await signIn(app);
      const post = (url: string, payload: object) => app.inject({ method: "POST", url, payload, headers });
      for (const name of sites) await post("/api/v1/sites", { name, profile: { asset_classes: ["it"] } });
      await post("/api/v1/users", { username: "limited", password: ADMIN_PASSWORD, role: "admin", sites });
      return createGet("limited");
    },
    close,
  };
}
export type AskedPlatform = Awaited<ReturnType<typeof startPlatform>>;
