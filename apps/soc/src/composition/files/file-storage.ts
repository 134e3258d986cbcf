import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import { createDiskFiles } from "../../adapters/files/disk-files.ts";
import { createIncomingFiles } from "../../adapters/files/incoming-files.ts";
import { createS3Files, type S3Settings } from "../../adapters/files/s3-files.ts";
import type { FileStorage } from "../../casework/case-files/case-files.feature.ts";
import type { FileStore } from "../../casework/case-files/file-store.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { parseOperatorAddress } from "../../foundation/outbound/operator-address.ts";

/** The variables of the place where files are stored. */
export const FILE_VARIABLES = {
  SOC_FILES: Type.String({ default: "disk", pattern: "^(disk|https?://.+)$", maxLength: 1000 }),
  SOC_FILES_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_FILES_REGION: Type.String({ default: "us-east-1", pattern: "^[A-Za-z0-9-]{1,64}$" }),
  SOC_FILE_MB: Type.Integer({ minimum: 1, maximum: 5000, default: 100 }),
};
const Variables = Type.Object(FILE_VARIABLES);

/** Where the operator wants files to be stored. */
export interface StorageSettings {
  /** `disk`, or the URL of a bucket. */
  address: string;
  keyFile: string | undefined;
  region: string;
  /** Of one file. */
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

const BUCKET_AND_PREFIX = /^(\/[A-Za-z0-9][A-Za-z0-9._~-]*)+$/;
const KEY = /^([\x21-\x39\x3b-\x7e]{1,256}):([\x21-\x7e]{1,256})$/;

/** The files of cases: on disk, or in an S3-compatible store. Refuses with the name of the variable. */
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
  if (address !== "disk") return createS3Files({ settings: await readS3Settings(settings), clock });
  if (keyFile !== undefined) throw invalidField("SOC_FILES_KEY_FILE", "must be left out when SOC_FILES is disk");
  return createDiskFiles(folder);
}

async function readS3Settings({ address, keyFile, region }: StorageSettings): Promise<S3Settings> {
  if (keyFile === undefined) throw invalidField("SOC_FILES_KEY_FILE", "required when SOC_FILES is a URL");
  const url = parseOperatorAddress("SOC_FILES", address);
  if (!BUCKET_AND_PREFIX.test(new URL(url).pathname)) {
    throw invalidField("SOC_FILES", "must name a bucket, and optionally a prefix, after the host");
  }
  const [, accessKeyId, secretAccessKey] = KEY.exec((await readKey("SOC_FILES_KEY_FILE", keyFile, 1)).toString()) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw invalidField(
      "SOC_FILES_KEY_FILE",
      "must hold the id and the secret of an access key, with a colon between them",
    );
  }
  return { url, accessKeyId, secretAccessKey, region };
}
