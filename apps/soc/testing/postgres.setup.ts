import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { freePort, startProcess } from "@kit/testing/process";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { createDatabase } from "../src/adapters/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export const TEMPLATE = "soc_template";

/** One real PostgreSQL for all integration tests, with a migrated template that each file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bin = newestBin();
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(bin, "initdb"), ["-D", data, "-U", "owner", "-A", "trust", "-N"], { ...user, stdio: "ignore" });
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, fsync: "off" };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = await startProcess({
    command: join(bin, "postgres"),
    args: ["-D", data, ...args],
    readyWhen: /database system is ready to accept connections/,
    ...(user && { user }),
  });
  const url = `postgres://owner@127.0.0.1:${port}`;
  await createTemplate(url);
  project.provide("postgresUrl", url);
  return async () => {
    await server.stop("SIGINT");
    rmSync(folder, { recursive: true });
  };
}

async function createTemplate(url: string): Promise<void> {
  const owner = new pg.Client(`${url}/postgres`);
  await owner.connect();
  await owner.query(`CREATE DATABASE ${TEMPLATE}`);
  await owner.end();
  const database = createDatabase({
    url: `${url}/${TEMPLATE}`,
    migrationsFolder: join(import.meta.dirname, "../src/migrations"),
    clock: createClock(),
    log: silentLog,
    onFirstAnswer: async () => undefined,
  });
  if (!(await database.isAvailable())) throw new Error("the template could not be migrated");
  await database.close();
}

function newestBin(): string {
  const versions = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
