import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInstantMeasure } from "@kit/http/instant-measure";
import type { Measure } from "@kit/http/metrics";
import type { Manifest } from "./manifest.ts";

/** In the data folder, so that the service knows of backups that its operator makes and moves elsewhere. */
const FILE = "last-backup";

export async function recordLastBackup(dataFolder: string, { instant }: Pick<Manifest, "instant">): Promise<void> {
  const draft = join(dataFolder, `${FILE}.next`);
  await writeFile(draft, `${instant}\n`, { mode: 0o600 });
  await rename(draft, join(dataFolder, FILE));
}

export function createBackupMeasure(dataFolder: string): Measure {
  return createInstantMeasure({
    name: "last_backup_timestamp_seconds",
    help: "The instant of the last backup on this host, in seconds since 1970; no value before the first one.",
    path: join(dataFolder, FILE),
  });
}
