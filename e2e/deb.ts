import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
export const ROOT = new URL("../", import.meta.url).pathname;
/** The time of the sources; any fixed value works. */
const EPOCH = "1794700800";

export interface BuildOptions {
  product?: "player" | "soc";
  /** Used for the package of the player. */
  architecture?: "amd64" | "arm64";
  version?: string;
  /** Uses the slow compression of a release, which takes a minute, instead of a fast one. */
  isSmall?: boolean;
}

/** Builds the package like a release into its own folder and returns its path. */
export async function buildPackage(options: BuildOptions = {}): Promise<string> {
  const { product = "player", architecture = "amd64", version = "1.0.0", isSmall = false } = options;
  const folder = await mkdtemp(join(tmpdir(), "package-"));
  const processor = product === "player" ? [`--architecture=${architecture}`] : [];
  const given = [...processor, `--version=${version}`, `--folder=${folder}`, ...(isSmall ? [] : ["--quick"])];
  return runBuild(product, given);
}

/** Returns the staged folder of the SOC's package without the slow packing. */
export async function stageSoc(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "staged-"));
  await runBuild("soc", ["--version=1.0.0", `--stage=${folder}`]);
  return folder;
}

async function runBuild(product: "player" | "soc", given: readonly string[]): Promise<string> {
  const args = [join(ROOT, `packaging/dist/build-${product}.js`), ...given];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH } });
  return stdout.trim();
}

/** Unpacks the files of a package like dpkg and returns the folder that represents /. */
export async function unpack(file: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "unpacked-"));
  await run("dpkg-deb", ["--extract", file, folder]);
  return folder;
}

/** Returns the output of a program; on failure, its standard error is the message. */
export async function capture(program: string, ...args: readonly string[]): Promise<string> {
  return (await run(program, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
}
