import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, lstat, lutimes, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

export interface DebContents {
  /** The folder that holds the installed files. */
  stage: string;
  /** The fields of the control file; a field without a value is left out. */
  control: Readonly<Record<string, string>>;
  /** The other files of the control archive, by their names. */
  scripts: Readonly<Record<string, string>>;
  /** The paths of programs, relative to the stage. */
  programs: ReadonlySet<string>;
  /** Seconds since the epoch: every file gets this time, so that two builds are the same. */
  epochS: number;
}

export interface DebArchive {
  /** The complete folder. */
  stage: string;
  /** dpkg-deb's name of a compression, and its level. */
  compression: readonly string[];
  epochS: number;
  file: string;
}

const run = promisify(execFile);
const PROGRAM = 0o755;
const PLAIN = 0o644;
const EXECUTABLE_SCRIPTS = new Set(["postinst", "prerm", "postrm"]);

/** Completes the folder by what dpkg must know, and gives every file its mode and its time. */
export async function completeStage({ stage, control, scripts, programs, epochS }: DebContents): Promise<void> {
  const files = (await listAll(stage)).filter(({ isFolder }) => !isFolder).map(({ path }) => relative(stage, path));
  const sizes = await Promise.all(files.map(async (path) => (await lstat(join(stage, path))).size));
  const sums = await Promise.all(files.map(async (path) => `${await md5(join(stage, path))}  ${path}\n`));
  const kibibytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
  const fields = { ...control, "Installed-Size": String(kibibytes) };
  const metadata = {
    ...scripts,
    control: Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(""),
    md5sums: sums.join(""),
  };
  await mkdir(join(stage, "DEBIAN"));
  for (const [name, text] of Object.entries(metadata)) await writeFile(join(stage, "DEBIAN", name), text);

  const isScript = (path: string) => EXECUTABLE_SCRIPTS.has(relative(join(stage, "DEBIAN"), path));
  await setModesAndTimes(stage, epochS, (path) => programs.has(relative(stage, path)) || isScript(path));
}

/** The modes and times of the build machine must not reach a package. */
export async function setModesAndTimes(
  folder: string,
  epochS: number,
  isProgram: (path: string) => boolean,
): Promise<void> {
  for (const { path, isFolder } of [...(await listAll(folder)), { path: folder, isFolder: true }]) {
    await chmod(path, isFolder || isProgram(path) ? PROGRAM : PLAIN);
    await lutimes(path, epochS, epochS);
  }
}

export async function packDeb({ stage, compression, epochS, file }: DebArchive): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await run("dpkg-deb", ["--root-owner-group", ...compression, "--build", stage, file], {
    env: { PATH: "/usr/bin:/bin", SOURCE_DATE_EPOCH: String(epochS) },
  });
}

async function listAll(folder: string): Promise<{ path: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function md5(path: string): Promise<string> {
  const hash = createHash("md5");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
