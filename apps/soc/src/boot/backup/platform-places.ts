import { join } from "node:path";
import { readConfig } from "../config/config.ts";
import type { LogSettings } from "../config/config-logs.ts";
import { readMigrateConfig } from "../config/config-migrate.ts";
import type { BucketSettings } from "../files/buckets.ts";
import type { KeyPlaces } from "./platform-key-files.ts";

/** The locations of the data that a backup contains. */
export interface PlatformPlaces extends KeyPlaces {
  /** The address for its owner's login. */
  databaseUrl: string;
  logSettings: LogSettings;
  /** `outbox`, or the addresses of NATS. */
  stream: string;
  /** The access key of the backup buckets. */
  backupKey: Pick<BucketSettings, "keyFile" | "region">;
  /** The folder of the contents of case files; undefined if they are in a bucket. */
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
