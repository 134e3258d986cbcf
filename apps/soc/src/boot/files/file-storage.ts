import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import { createDiskFiles } from "../../adapters/files/disk-files.ts";
import { createIncomingFiles } from "../../adapters/files/incoming-files.ts";
import { createS3Files } from "../../adapters/files/s3-files.ts";
import type { FileStorage } from "../../cases/module.ts";
import type { FileStore } from "../../ports/file-store.ts";
import { BucketRegion, readBucket } from "./buckets.ts";

/** The variables of the storage of files. */
export const FILE_VARIABLES = {
  SOC_FILES: Type.String({ default: "disk", pattern: "^(disk|https?://.+)$", maxLength: 1000 }),
  SOC_FILES_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_FILES_REGION: BucketRegion,
  SOC_FILE_MB: Type.Integer({ minimum: 1, maximum: 5000, default: 100 }),
};
const Variables = Type.Object(FILE_VARIABLES);

/** Where files are stored. */
export interface StorageSettings {
  /** `disk`, or the URL of a bucket. */
  address: string;
  keyFile: string | undefined;
  region: string;
  /** The maximum size of one file. */
  maxBytes: number;
}

export function readStorage(read: Static<typeof Variables>): StorageSettings {
  return {
    address: read.SOC_FILES,
    keyFile: read.SOC_FILES_KEY_FILE,
    region: read.SOC_FILES_REGION,
    maxBytes: read.SOC_FILE_MB * 1024 ** 2,
  };
}

export interface FileStorageDeps {
  settings: StorageSettings;
  dataFolder: string;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "next">;
}

/** Opens the storage of case files: on disk, or in an S3-compatible store. Errors name the variable. */
export async function openFileStorage({ settings, dataFolder, clock, ids }: FileStorageDeps): Promise<FileStorage> {
  const folder = join(dataFolder, "files");
  return {
    incoming: createIncomingFiles({ folder: join(folder, "incoming"), clock, ids }),
    store: await openStore(settings, join(folder, "stored"), clock),
    maxBytes: settings.maxBytes,
  };
}

async function openStore(settings: StorageSettings, folder: string, clock: Pick<Clock, "now">): Promise<FileStore> {
  const { address, keyFile } = settings;
  if (address !== "disk") return createS3Files({ settings: await readBucket("SOC_FILES", settings), clock });
  if (keyFile !== undefined) throw invalidField("SOC_FILES_KEY_FILE", "must be omitted if SOC_FILES is disk");
  return createDiskFiles(folder);
}
