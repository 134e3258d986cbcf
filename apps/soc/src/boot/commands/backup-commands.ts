import { setPriority } from "node:os";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { type Command, type CommandArguments, readText, type Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import { isBucket } from "../backup/backup-place.ts";
import type { OpenBucket } from "../backup/bucket-backup.ts";
import type { Manifest } from "../backup/manifest.ts";
import type { PlatformPlaces } from "../backup/platform-places.ts";
import type { Environment } from "./service-client.ts";

export interface BackupCommandsDeps {
  environment: Environment;
  terminal: Terminal;
  entry: string;
  version: string;
  /** The program that runs this process. */
  program: string;
  clock: Clock;
  ids: Pick<Ids, "next">;
}

const BUCKETS =
  "A URL names a place in a bucket, https://host/bucket/name, with the key of SOC_BACKUP_KEY_FILE; --through names an empty folder with room for the copies on their way.";
const VARIABLES =
  "It reads the variables of the service; SOC_DATABASE_OWNER_URL, if set, names the database. pg_dump and pg_restore of PostgreSQL must be installed.";
/** The lowest priority, because the service comes first. */
const PRIORITY = 19;

export function createBackupCommands(deps: BackupCommandsDeps): Command[] {
  return [createBackup(deps), createRestore(deps)];
}

function createBackup({ environment, terminal, entry, version, program, clock, ids }: BackupCommandsDeps): Command {
  return {
    name: "backup",
    takes: "--to <folder|URL> --keys <folder> [--through <folder>] [--base <folder|URL>] [--without-logs] [--json]",
    summary:
      "Copies the database, logs and files into a new folder, and the keys into another, while the service runs.",
    details: [
      "--base names a full backup: of logs and files, only what it does not have is copied.",
      BUCKETS,
      "Run it on the machine and as the user of the service. Keep the folders apart: one holds the data, the other the keys.",
      VARIABLES,
    ].join("\n"),
    options: {
      to: { type: "string" },
      keys: { type: "string" },
      base: { type: "string" },
      through: { type: "string" },
      "without-logs": { type: "boolean" },
      json: { type: "boolean" },
    },
    async run(given) {
      // Set before the other code is loaded, which takes as long as the copy of a small platform.
      setPriority(PRIORITY);
      const [to, keys] = [readPlace(given, "to"), readFolder(given, "keys")];
      const [base, through] = [readOptionalPlace(given, "base"), readThrough(given, to, keys)];
      if (!isBucket(to)) requireApart(to, keys);
      const isWithoutLogs = given.values["without-logs"] === true;
      const { backUp } = await import("../backup/backup.ts");
      const { backUpToBucket } = await import("../backup/bucket-backup.ts");
      const { recordLastBackup } = await import("../backup/last-backup.ts");
      const { readPlaces } = await import("../backup/platform-places.ts");
      const places = readPlaces(environment);
      const engineEntry = findEngine(entry);
      const { dataFolder } = places;
      const startMs = clock.monotonicMs();
      const backUpDeps = { places, dataFolder, environment, version, program, engineEntry, clock, ids };
      const manifest =
        through === undefined
          ? await backUp(backUpDeps, {
              to,
              keys,
              base: base === undefined ? undefined : { folder: base, place: base },
              isWithoutLogs,
            })
          : await backUpToBucket(backUpDeps, {
              ...{ to, keys, base, isWithoutLogs, through },
              openBucket: createOpenBucket(places, clock),
            });
      await recordLastBackup(dataFolder, manifest);
      const summary = { ...summarise(manifest), seconds: countSeconds(clock, startMs) };
      terminal.write(given.values.json === true ? `${JSON.stringify(summary)}\n` : formatSummary(summary));
      terminal.writeError(`${to} is written. Keep ${keys} elsewhere: with both, the platform can be impersonated.\n`);
      return 0;
    },
  };
}

function createRestore({ environment, terminal, entry, program, clock, ids }: BackupCommandsDeps): Command {
  return {
    name: "restore",
    takes:
      "--from <folder|URL> --keys <folder> [--through <folder>] [--base <folder|URL>] [--without-database] [--json]",
    summary: "Restores a backup into an empty data folder and an empty database, before the service starts.",
    details: [
      "Everything is checked first: each file against the manifest, the release, the keys, and that both places are empty.",
      "--base says where the full backup is now, if it was moved.",
      "--without-database: PostgreSQL has recovered it to a point in time; logs, files and keys are restored beside it.",
      BUCKETS,
      VARIABLES,
    ].join("\n"),
    options: {
      from: { type: "string" },
      keys: { type: "string" },
      base: { type: "string" },
      through: { type: "string" },
      "without-database": { type: "boolean" },
      json: { type: "boolean" },
    },
    exitCodes: { 1: "restored, but the counts differ from the manifest" },
    async run(given) {
      const [from, keys] = [readPlace(given, "from"), readFolder(given, "keys")];
      const [base, through] = [readOptionalPlace(given, "base"), readThrough(given, from, keys)];
      const isWithoutDatabase = given.values["without-database"] === true;
      const { restore } = await import("../backup/restore.ts");
      const { restoreFromBucket } = await import("../backup/bucket-backup.ts");
      const { readPlaces } = await import("../backup/platform-places.ts");
      const places = readPlaces(environment);
      const migrationsFolder = fileURLToPath(new URL("../src/migrations", entry));
      const startMs = clock.monotonicMs();
      const engineEntry = findEngine(entry);
      const { dataFolder } = places;
      const restoreDeps = { places, dataFolder, environment, migrationsFolder, program, engineEntry, clock, ids };
      const { manifest, differences, isOlderThanCheckpoints } =
        through === undefined
          ? await restore(restoreDeps, { from, keys, base, isWithoutDatabase })
          : await restoreFromBucket(restoreDeps, {
              ...{ from, keys, base, through, isWithoutDatabase },
              openBucket: createOpenBucket(places, clock),
            });
      const summary = { ...summarise(manifest), seconds: countSeconds(clock, startMs) };
      terminal.write(given.values.json === true ? `${JSON.stringify(summary)}\n` : formatSummary(summary));
      for (const difference of differences) terminal.writeError(`${difference}\n`);
      if (isOlderThanCheckpoints) {
        terminal.writeError(
          "The ledger had more entries than this backup: its alarm stays until a person accepts it.\n",
        );
      }
      return differences.length === 0 ? 0 : 1;
    },
  };
}

interface Summary {
  instant: string;
  version: string;
  database_rows: number;
  log_rows: number;
  files: number;
  seconds: number;
}

function summarise({ instant, version, database, logs, files }: Manifest): Omit<Summary, "seconds"> {
  const database_rows = Object.values(database.rows).reduce((sum, rows) => sum + rows, 0);
  return { instant, version, database_rows, log_rows: logs?.min_rows ?? 0, files: files?.length ?? 0 };
}

function formatSummary({ instant, version, database_rows, log_rows, files, seconds }: Summary): string {
  return `${instant} of ${version}: ${database_rows} rows, ${log_rows} logs, ${files} files, in ${seconds} s\n`;
}

function countSeconds(clock: Pick<Clock, "monotonicMs">, startMs: number): number {
  return Math.round((clock.monotonicMs() - startMs) / 100) / 10;
}

function findEngine(entry: string): string {
  return fileURLToPath(new URL("./main-log-engine.js", entry));
}

function createOpenBucket({ backupKey }: PlatformPlaces, clock: Clock): OpenBucket {
  return async (option, address) => {
    const { readBucket } = await import("../files/buckets.ts");
    const { createBackupBucket } = await import("../../adapters/backup/backup-bucket.ts");
    const settings = await readBucket(option, { address, ...backupKey }, "SOC_BACKUP_KEY_FILE");
    return createBackupBucket({ settings, clock });
  };
}

/** The folder for temporary copies to or from a bucket; undefined if the destination is a folder. */
function readThrough(given: CommandArguments, place: string, keys: string): string | undefined {
  const through = readOptionalPlace(given, "through");
  if (!isBucket(place)) {
    if (through !== undefined) throw invalidField("--through", "must be omitted: no copy goes through it");
    if (isBucket(readText(given, "base") ?? "")) throw invalidField("--base", "must also be a folder");
    return undefined;
  }
  if (through === undefined) throw invalidField("--through", "is required with a URL");
  requireApart(through, keys);
  return through;
}

function readFolder(given: CommandArguments, name: string): string {
  const folder = readPlace(given, name);
  if (isBucket(folder)) throw invalidField(`--${name}`, "must be a folder");
  return folder;
}

function readPlace(given: CommandArguments, name: string): string {
  const place = readOptionalPlace(given, name);
  if (place === undefined) throw invalidField(`--${name}`, "is required");
  return place;
}

function readOptionalPlace(given: CommandArguments, name: string): string | undefined {
  const place = readText(given, name);
  if (place === undefined || place === "") return undefined;
  return isBucket(place) ? place : resolve(place);
}

/** A person who finds one of them must not have the other. */
function requireApart(place: string, keys: string): void {
  const isInside = (inner: string, outer: string) => `${inner}${sep}`.startsWith(`${outer}${sep}`);
  if (isInside(place, keys) || isInside(keys, place)) throw invalidField("--keys", "must be separate from the copies");
}
