import { setPriority } from "node:os";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { type Command, type Given, readText, type Terminal } from "@kit/config/commands";
import { invalidField } from "@kit/problem";
import type { Manifest } from "../backup/manifest.ts";
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

const VARIABLES =
  "It reads the variables of the service; SOC_DATABASE_OWNER_URL, if set, names the database. pg_dump and pg_restore of PostgreSQL must be installed.";
/** The service comes first. */
const PRIORITY = 10;

export function createBackupCommands(deps: BackupCommandsDeps): Command[] {
  return [createBackup(deps), createRestore(deps)];
}

function createBackup({ environment, terminal, entry, version, program, clock, ids }: BackupCommandsDeps): Command {
  return {
    name: "backup",
    takes: "--to <folder> --keys <folder> [--base <folder>] [--without-logs] [--json]",
    summary:
      "Copies the database, logs and files into a new folder, and the keys into another, while the service runs.",
    details: [
      "--base names a full backup: of logs and files, only what it does not have is copied.",
      "Run it on the machine and as the user of the service. Keep the folders apart: one holds the data, the other the keys.",
      VARIABLES,
    ].join("\n"),
    options: {
      to: { type: "string" },
      keys: { type: "string" },
      base: { type: "string" },
      "without-logs": { type: "boolean" },
      json: { type: "boolean" },
    },
    async run(given) {
      const [to, keys] = [readFolder(given, "to"), readFolder(given, "keys")];
      requireApart({ to, keys });
      const { backUp } = await import("../backup/backup.ts");
      const { recordLastBackup } = await import("../backup/last-backup.ts");
      const { readPlaces } = await import("../backup/platform-places.ts");
      const places = readPlaces(environment);
      const engineEntry = findEngine(entry);
      const { dataFolder } = places;
      setPriority(PRIORITY);
      const startMs = clock.monotonicMs();
      const manifest = await backUp(
        { places, dataFolder, environment, version, program, engineEntry, clock, ids },
        { to, keys, base: readOptionalFolder(given, "base"), isWithoutLogs: given.values["without-logs"] === true },
      );
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
    takes: "--from <folder> --keys <folder> [--base <folder>] [--json]",
    summary: "Restores a backup into an empty data folder and an empty database, before the service starts.",
    details: [
      "Everything is checked first: each file against the manifest, the release, the keys, and that both places are empty.",
      "--base says where the full backup is now, if it was moved.",
      VARIABLES,
    ].join("\n"),
    options: {
      from: { type: "string" },
      keys: { type: "string" },
      base: { type: "string" },
      json: { type: "boolean" },
    },
    exitCodes: { 1: "restored, but the counts differ from the manifest" },
    async run(given) {
      const [from, keys] = [readFolder(given, "from"), readFolder(given, "keys")];
      const { restore } = await import("../backup/restore.ts");
      const { readPlaces } = await import("../backup/platform-places.ts");
      const places = readPlaces(environment);
      const migrationsFolder = fileURLToPath(new URL("../src/migrations", entry));
      const startMs = clock.monotonicMs();
      const engineEntry = findEngine(entry);
      const { dataFolder } = places;
      const { manifest, differences, isOlderThanCheckpoints } = await restore(
        { places, dataFolder, environment, migrationsFolder, program, engineEntry, clock, ids },
        { from, keys, base: readOptionalFolder(given, "base") },
      );
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

function readFolder(given: Given, name: string): string {
  const folder = readOptionalFolder(given, name);
  if (folder === undefined) throw invalidField(`--${name}`, "is required");
  return folder;
}

function readOptionalFolder(given: Given, name: string): string | undefined {
  const folder = readText(given, name);
  return folder === undefined || folder === "" ? undefined : resolve(folder);
}

/** Who finds one of them must not have the other. */
function requireApart({ to, keys }: { to: string; keys: string }): void {
  const isInside = (inner: string, outer: string) => `${inner}${sep}`.startsWith(`${outer}${sep}`);
  if (isInside(to, keys) || isInside(keys, to)) throw invalidField("--keys", "must be apart from --to");
}
