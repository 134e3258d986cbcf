import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type StartedProcess, startProcess } from "./process.ts";

export interface PostgresOptions {
  /** The folder of initdb and postgres; without one, that of the newest that Debian installed. */
  bin?: string;
  /** Holds the data and the socket. An existing cluster is started as it is. */
  folder: string;
  port: number;
  settings?: Readonly<Record<string, string>>;
}

export interface StartedPostgres extends StartedProcess {
  /** As the owner of everything, without the name of a database. */
  url: string;
}

const UNPRIVILEGED_USER = 65_534;

/** A real PostgreSQL on loopback, whose owner needs no password. */
export async function startPostgres({
  bin = debianBin(),
  folder,
  port,
  settings,
}: PostgresOptions): Promise<StartedPostgres> {
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_USER, gid: UNPRIVILEGED_USER } : undefined;
  const data = join(folder, "data");
  mkdirSync(folder, { recursive: true });
  if (user) chownSync(folder, user.uid, user.gid);
  if (!readdirSync(folder).includes("data")) {
    const args = ["-D", data, "-U", "owner", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"];
    execFileSync(join(bin, "initdb"), args, { ...user, stdio: "ignore" });
  }
  const all = { port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, ...settings };
  const started = await startProcess({
    command: join(bin, "postgres"),
    args: ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    readyWhen: /database system is ready to accept (read-only )?connections/,
    ...(user && { user }),
  });
  return { ...started, url: `postgres://owner@127.0.0.1:${port}` };
}

/** Copies a database into an empty one, also of another server, as a backup and its restore do. The file stays. */
export function copyDatabase(from: string, to: string, file: string): void {
  const bin = debianBin();
  execFileSync(join(bin, "pg_dump"), ["--format=custom", `--file=${file}`, from]);
  execFileSync(join(bin, "pg_restore"), [`--dbname=${to}`, file]);
}

function debianBin(): string {
  const versions = readdirSync("/usr/lib/postgresql").sort((a, b) => Number(b) - Number(a));
  return `/usr/lib/postgresql/${versions[0]}/bin`;
}
