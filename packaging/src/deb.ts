import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, lstat, lutimes, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

export interface DebOptions {
  /** The folder that holds the installed files. */
  stage: string;
  /** The fields of the control file; a field without a value is left out. */
  control: Readonly<Record<string, string>>;
  /** The other files of the control archive, by their names. */
  scripts: Readonly<Record<string, string>>;
  /** The paths of programs, relative to the stage. */
  programs: ReadonlySet<string>;
  /** dpkg-deb's name of a compression, and its level. */
  compression: readonly string[];
  /** Seconds since the epoch: every file gets this time, so that two builds are the same. */
  epochS: number;
  file: string;
}

const run = promisify(execFile);
const PROGRAM = 0o755;
const PLAIN = 0o644;
const EXECUTABLE_SCRIPTS = new Set(["postinst", "prerm", "postrm"]);

export async function buildDeb(options: DebOptions): Promise<void> {
  const { stage, control, scripts, programs, compression, epochS, file } = options;
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

  // The modes and times of the build machine must not reach the package.
  for (const { path, isFolder } of await listAll(stage)) {
    const name = relative(join(stage, "DEBIAN"), path);
    const isProgram = isFolder || programs.has(relative(stage, path)) || EXECUTABLE_SCRIPTS.has(name);
    await chmod(path, isProgram ? PROGRAM : PLAIN);
    await lutimes(path, epochS, epochS);
  }
  await chmod(stage, PROGRAM);
  await lutimes(stage, epochS, epochS);
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
