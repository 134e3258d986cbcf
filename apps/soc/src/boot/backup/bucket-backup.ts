import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { invalidField } from "@kit/problem";
import type { BackupBucket } from "../../adapters/backup/backup-bucket.ts";
import { type BackupDeps, type BackupOptions, type Base, backUp, createEmptyFolder } from "./backup.ts";
import { isBucket } from "./backup-place.ts";
import { LIST_OF_LOGS, LOGS_FOLDER, MANIFEST_FILE, type Manifest, parseManifest } from "./manifest.ts";
import { type RestoreDeps, type RestoreOptions, type RestoreResult, requireKeys, restore } from "./restore.ts";

/** Opens the destination of a backup in a bucket; the option is the one that named it. */
export type OpenBucket = (option: string, address: string) => Promise<BackupBucket>;

export interface BucketOptions {
  openBucket: OpenBucket;
  /** A new folder for temporary copies. It is empty again at the end. */
  through: string;
}

const OPTION_OF_FOLDER = "--through";
const UPLOADS = 6;

/** Backs a platform up into a bucket. The manifest is written last: without it there is no backup. */
export async function backUpToBucket(
  deps: BackupDeps,
  { openBucket, through, ...options }: BucketOptions & Omit<BackupOptions, "base"> & { base?: string | undefined },
): Promise<Manifest> {
  const bucket = await openBucket("--to", options.to);
  if ((await bucket.readText(MANIFEST_FILE)) !== undefined)
    throw invalidField("--to", `${options.to} is already a backup`);
  return throughFolder(through, async () => {
    const to = join(through, "backup");
    const base =
      options.base === undefined ? undefined : await findBase(options.base, openBucket, join(through, "base"));
    const manifest = await backUp(deps, { ...options, to, base });
    await inTurns(Object.keys(manifest.sha256), (path) => bucket.upload(to, path));
    await bucket.upload(to, MANIFEST_FILE);
    return manifest;
  });
}

export async function restoreFromBucket(
  deps: RestoreDeps,
  { openBucket, through, from, base, ...options }: BucketOptions & RestoreOptions,
): Promise<RestoreResult> {
  return throughFolder(through, async () => {
    const requireOwn = (option: string) => (manifest: Manifest) =>
      requireKeys(option, manifest, deps.places, options.keys);
    const folder = join(through, "backup");
    const manifest = await download("--from", await openBucket("--from", from), folder, requireOwn("--from"));
    let basePlace = base ?? manifest.base?.folder;
    if (manifest.base !== null && basePlace !== undefined && isBucket(basePlace)) {
      const baseFolder = join(through, "base");
      await download("--base", await openBucket("--base", basePlace), baseFolder, requireOwn("--base"));
      basePlace = baseFolder;
    }
    return restore(deps, { ...options, from: folder, base: basePlace });
  });
}

async function findBase(place: string, openBucket: OpenBucket, folder: string): Promise<Base> {
  if (!isBucket(place)) return { folder: place, place };
  const bucket = await openBucket("--base", place);
  const { text } = await readManifest("--base", bucket);
  await mkdir(join(folder, LOGS_FOLDER), { recursive: true, mode: 0o700 });
  await bucket.download(folder, LIST_OF_LOGS);
  await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600 });
  return { folder, place };
}

async function readManifest(option: string, bucket: BackupBucket): Promise<{ manifest: Manifest; text: string }> {
  const text = await bucket.readText(MANIFEST_FILE);
  if (text === undefined) throw invalidField(option, `is not a complete backup: it has no ${MANIFEST_FILE}`);
  return { manifest: parseManifest(option, text), text };
}

/** Copies a backup into the folder. The file names are used only after the manifest is trusted. */
async function download(
  option: string,
  bucket: BackupBucket,
  folder: string,
  requireTrusted: (manifest: Manifest) => Promise<void>,
): Promise<Manifest> {
  const { manifest, text } = await readManifest(option, bucket);
  await requireTrusted(manifest);
  await mkdir(folder, { mode: 0o700 });
  await inTurns(Object.keys(manifest.sha256), (path) => bucket.download(folder, path));
  await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600 });
  return manifest;
}

/** Empties the folder afterwards, even after a failure. */
async function throughFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  await createEmptyFolder(OPTION_OF_FOLDER, folder);
  try {
    return await work();
  } finally {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Runs a few at a time. After a failure, no further one starts. */
async function inTurns(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const left = [...paths];
  let hasFailed = false;
  const turns = Array.from({ length: UPLOADS }, async () => {
    for (let path = left.shift(); path !== undefined && !hasFailed; path = left.shift()) {
      await work(path).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  });
  const [failed] = (await Promise.allSettled(turns)).filter((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
