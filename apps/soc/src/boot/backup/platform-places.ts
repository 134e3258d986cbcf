import { join } from "node:path";
import { readConfig } from "../config/config.ts";
import type { LogSettings } from "../config/config-logs.ts";
import { readMigrateConfig } from "../config/config-migrate.ts";
import type { BucketSettings } from "../files/buckets.ts";
import type { KeyPlaces } from "./platform-key-files.ts";

/** Where a platform keeps what a backup has. */
export interface PlatformPlaces extends KeyPlaces {
  /** As its owner. */
  databaseUrl: string;
  logSettings: LogSettings;
  /** `outbox`, or the addresses of NATS. */
  stream: string;
  /** Of the buckets that backups are in. */
  backupKey: Pick<BucketSettings, "keyFile" | "region">;
  /** The contents of the files of cases; undefined when they are in a bucket. */
  filesFolder: string | undefined;
}

/** Reads the variables of the service. */
export function readPlaces(environment: Record<string, string | undefined>): PlatformPlaces {
  const { dataFolder, ledgerKeyFile, channelsKeyFile, devicesCaFile, logSettings, stream, storage, backupKey } =
    readConfig(environment);
  return {
    dataFolder,
    ledgerKeyFile,
    channelsKeyFile,
    devicesCaFile,
    logSettings,
    stream: stream.address,
    backupKey,
    filesFolder: storage.address === "disk" ? join(dataFolder, "files/stored") : undefined,
    databaseUrl: readMigrateConfig(environment).url,
  };
}
