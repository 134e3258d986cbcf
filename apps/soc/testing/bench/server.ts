import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@kit/testing/postgres";
import { freePort } from "@kit/testing/process";
import pg from "pg";
import { signIn } from "../worlds/sample-world.ts";
import { wholePlatform } from "../worlds/whole-platform.ts";

/** Starts a PostgreSQL with fsync, or uses the database of an earlier run. */
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

/** The complete platform in this process, with a signed-in administrator. */
export async function startPlatform(url: string) {
  const { app, close } = await wholePlatform("real", url);
  const headers = await signIn(app);

  return {
    get: async (path: string, query: Readonly<Record<string, string>> = {}) => {
      const answer = await app.inject({ url: `${path}?${new URLSearchParams(query)}`, headers });
      if (answer.statusCode !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.body}`);
      return answer.json();
    },
    close,
  };
}
export type AskedPlatform = Awaited<ReturnType<typeof startPlatform>>;
