import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface AptRepositoryOptions {
  /** The folder with the packages that apt shall offer. */
  packages: string;
  /** A folder that is new or empty. */
  folder: string;
  /** The fingerprint of a secret key in the keyring of the person who runs this. */
  key: string;
  epochS: number;
}

const run = promisify(execFile);
const compress = promisify(gzip);
const DEB = /^([a-z0-9][a-z0-9.+-]+)_([0-9A-Za-z.+~-]+)_([a-z0-9]+)\.deb$/;
const FINGERPRINT = /^[0-9A-F]{40}$/;
const SUITE = "stable";
const KEYRING = "manara-archive-keyring.gpg";
/** A stale mirror is detected after this time; the repository must be signed again before it ends. */
const VALID_DAYS = 180;
const MAX_BUFFER_BYTES = 64 * 1024 * 1024;

/** Writes a repository for apt: pool/, dists/stable/ with its signatures, and the public key. */
export async function buildAptRepository({ packages, folder, key, epochS }: AptRepositoryOptions): Promise<void> {
  if (!FINGERPRINT.test(key)) throw new Error("--key: must be a whole fingerprint, 40 digits of A-F and 0-9");
  const present = await readdir(folder).catch(() => []);
  if (present.length > 0) throw new Error(`--folder: ${folder} is not empty`);
  const architectures = await fillPool(packages, folder);
  const indexes = await writeIndexes(folder, architectures);
  await writeRelease({ folder, architectures, indexes, epochS });
  await sign(folder, key);
}

/** Returns the architectures that it has packages of. */
async function fillPool(packages: string, folder: string): Promise<string[]> {
  const architectures = new Set<string>();
  for (const file of (await readdir(packages)).filter((name) => name.endsWith(".deb")).toSorted()) {
    const [, name, , architecture] = DEB.exec(file) ?? [];
    if (name === undefined || architecture === undefined) {
      throw new Error(`--packages: ${file} is not named <package>_<version>_<architecture>.deb`);
    }
    const place = join(folder, "pool/main", name, file);
    await mkdir(dirname(place), { recursive: true });
    await copyFile(join(packages, file), place);
    architectures.add(architecture);
  }
  if (architectures.size === 0) throw new Error(`--packages: ${packages} has no package`);
  return [...architectures].toSorted();
}

/** Returns the paths of the indexes, relative to the suite. */
async function writeIndexes(folder: string, architectures: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const architecture of architectures) {
    const words = ["--arch", architecture, "packages", "pool"];
    const { stdout } = await run("apt-ftparchive", words, { cwd: folder, maxBuffer: MAX_BUFFER_BYTES });
    const path = `main/binary-${architecture}/Packages`;
    const place = join(folder, "dists", SUITE, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, stdout);
    await writeFile(`${place}.gz`, await compress(stdout, { level: 9 }));
    paths.push(path, `${path}.gz`);
  }
  return paths;
}

interface Suite {
  folder: string;
  architectures: readonly string[];
  indexes: readonly string[];
  epochS: number;
}

/** apt-ftparchive would write the time of the build. */
async function writeRelease({ folder, architectures, indexes, epochS }: Suite): Promise<void> {
  const suite = join(folder, "dists", SUITE);
  const sums = await Promise.all(
    indexes.map(async (path) => {
      const content = await readFile(join(suite, path));
      return ` ${createHash("sha256").update(content).digest("hex")} ${content.length} ${path}\n`;
    }),
  );
  const lines = [
    "Origin: Manara",
    "Label: Manara",
    `Suite: ${SUITE}`,
    `Codename: ${SUITE}`,
    `Date: ${formatTime(epochS)}`,
    `Valid-Until: ${formatTime(epochS + VALID_DAYS * 86_400)}`,
    `Architectures: ${architectures.join(" ")}`,
    "Components: main",
    "Description: Manara Player and Manara SOC",
    "SHA256:",
  ];
  const path = join(suite, "Release");
  await writeFile(path, `${lines.join("\n")}\n${sums.join("")}`);
  await utimes(path, epochS, epochS);
}

/** As Debian writes times: RFC 1123, in UTC. */
function formatTime(epochS: number): string {
  return new Date(epochS * 1000).toUTCString().replace("GMT", "UTC");
}

async function sign(folder: string, key: string): Promise<void> {
  const suite = join(folder, "dists", SUITE);
  const gpg = (...words: string[]) => run("gpg", ["--batch", "--local-user", key, "--digest-algo=SHA512", ...words]);
  await gpg("--armor", "--detach-sign", "--output", join(suite, "Release.gpg"), join(suite, "Release"));
  await gpg("--clear-sign", "--output", join(suite, "InRelease"), join(suite, "Release"));
  await gpg("--export-options=export-minimal", "--output", join(folder, KEYRING), "--export", key);
}
