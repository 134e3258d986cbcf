import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import Type from "typebox";
import Value from "typebox/value";
import { NAMED_LICENCES, type NamedLicence } from "./named-licences.ts";
import { buildStatement, formatChecksums, type Subject } from "./provenance.ts";
import { formatLicences, settleBom } from "./sbom.ts";

export interface ReleaseOptions {
  root: string;
  version: string;
  /** A new folder for what is published. */
  out: string;
  /** A secret key of minisign. */
  key: string;
  /** The fingerprint of a secret key of gpg, for the repository of apt. */
  aptKey: string;
  /** A folder of packages that exist already; without it every script `package:*` is run. */
  packages: string | undefined;
  node: string;
  licences?: readonly NamedLicence[];
}

/** Runs a program in the root of the repository and returns what it prints. */
export type ExecuteCommand = (program: string, words: readonly string[]) => Promise<string>;

const PACKAGE = /\.(deb|tar|tar\.gz|raucb|img\.xz|tgz)$/;
const CHANGELOGS = ["apps/player/CHANGELOG.md", "apps/soc/CHANGELOG.md"];
/** The signatures of the repository of apt differ each time; apt checks them. */
const APT_SIGNATURE = /^apt\/dists\/.*\/(InRelease|Release\.gpg)$/;
const Manifest = Type.Object({ scripts: Type.Record(Type.String(), Type.String()) });

/**
 * Creates a release in the folder `out`. Throws before anything is built if it may not be created. Returns the names of
 * the files.
 */
export async function makeRelease(options: ReleaseOptions, execute: ExecuteCommand): Promise<string[]> {
  const { root, version, key, aptKey, node } = options;
  const out = resolve(options.out);
  await requireReleasable(options, execute);
  const commit = (await execute("git", ["rev-parse", "HEAD"])).trim();
  const committedAt = new Date(Number(await execute("git", ["log", "-1", "--format=%ct"])) * 1000).toISOString();
  const npmBom = await execute("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev"]);
  const { text, packages } = settleBom(npmBom, committedAt, options.licences ?? NAMED_LICENCES);

  const built = await collectPackages(options, execute);
  await mkdir(out, { recursive: true });
  for (const path of built) await copyFile(path, join(out, basename(path)));
  const apt = [`--packages=${out}`, `--folder=${join(out, "apt")}`, `--key=${aptKey}`];
  await execute("npm", ["run", "--silent", "apt-repository", "--", ...apt]);
  await writeFile(join(out, "sbom.cdx.json"), text);
  await writeFile(join(out, "LICENCES.txt"), formatLicences(packages));

  const subjects = await readSubjects(out);
  const lock = await digest(join(root, "package-lock.json"));
  const command = `npm ci && npm run build && npm run release -- ${version}`;
  const statement = buildStatement(subjects, { version, commit, lock, command, node });
  await writeFile(join(out, "provenance.intoto.json"), `${JSON.stringify(statement, null, 2)}\n`);
  await writeFile(join(out, "SHA256SUMS"), formatChecksums(await readSubjects(out)));
  for (const name of ["SHA256SUMS", "provenance.intoto.json"]) {
    const comment = `Manara ${version} ${name}`;
    await execute("minisign", ["-S", "-s", key, "-m", join(out, name), "-t", comment]);
  }
  return listFiles(out);
}

async function requireReleasable(options: ReleaseOptions, execute: ExecuteCommand): Promise<void> {
  const { root, version, out, aptKey } = options;
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`version: '${version}' must be three numbers, such as 2.0.0`);
  const changed = (await execute("git", ["status", "--porcelain"])).trim();
  if (changed !== "") throw new Error(`the checkout has changes that are not committed:\n${changed}`);
  const tag = `v${version}`;
  if ((await execute("git", ["tag", "--list", tag])).trim() !== "") throw new Error(`the tag ${tag} exists already`);
  const texts = await Promise.all(CHANGELOGS.map((path) => readFile(join(root, path), "utf8")));
  const isNamed = texts.some((text) =>
    text.split("\n").some((line) => line === `## ${version}` || line.startsWith(`## ${version} `)),
  );
  if (!isNamed) throw new Error(`no changelog has the heading '## ${version}': ${CHANGELOGS.join(", ")}`);
  const present = await readdir(out).catch(() => []);
  if (present.length > 0) throw new Error(`--out: ${out} is not empty`);
  await execute("gpg", ["--batch", "--list-secret-keys", aptKey]).catch((cause: unknown) => {
    throw new Error(`--apt-key: gpg has no secret key '${aptKey}'`, { cause });
  });
}

/** Whatever packaging builds: each script `package:*` of package.json prints the files that it made. */
async function collectPackages({ root, packages }: ReleaseOptions, execute: ExecuteCommand): Promise<string[]> {
  const files =
    packages === undefined
      ? await buildPackages(root, execute)
      : (await readdir(packages)).map((name) => join(packages, name));
  const chosen = files.filter((path) => PACKAGE.test(path)).toSorted();
  if (chosen.length === 0) throw new Error("there are no packages");
  return chosen;
}

async function buildPackages(root: string, execute: ExecuteCommand): Promise<string[]> {
  const { scripts } = Value.Parse(Manifest, JSON.parse(await readFile(join(root, "package.json"), "utf8")));
  const files: string[] = [];
  for (const script of Object.keys(scripts).filter((name) => name.startsWith("package:"))) {
    const printed = await execute("npm", ["run", "--silent", script]);
    files.push(
      ...printed
        .split("\n")
        .filter((line) => PACKAGE.test(line))
        .map((path) => resolve(root, path)),
    );
  }
  return files;
}

async function readSubjects(folder: string): Promise<Subject[]> {
  const names = (await listFiles(folder)).filter((name) => !APT_SIGNATURE.test(name));
  return Promise.all(names.map(async (name) => ({ name, sha256: await digest(join(folder, name)) })));
}

/** Their paths, relative to the folder. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
}

async function digest(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
