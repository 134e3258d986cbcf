import { access, constants, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Examination } from "@kit/config/checks";
import { Problem } from "@kit/problem";
import { inspectDatabase } from "../../adapters/postgres-migrations.ts";
import { MIN_FREE_BYTES } from "../../foundation/health/full-disks.ts";
import { isOpenToOthers } from "../../foundation/records/key-file.ts";
import { readConfig } from "../config/config.ts";
import { formatProtectionsOff } from "../config/config-profile.ts";
import type { Environment } from "./service-client.ts";
import { askProbe } from "./service-probe.ts";

export interface DoctorDeps {
  environment: Environment;
  migrationsFolder: string;
  clock: Pick<Clock, "deadline">;
}

type Config = ReturnType<typeof readConfig>;

const LOW_MIB = 1024;
const MIB = 1024 ** 2;

/** Examines what can prevent a platform from working, from outside to inside. Changes nothing. */
export function listExaminations({ environment, migrationsFolder, clock }: DoctorDeps): Examination[] {
  const config = () => readConfig(environment);
  return [
    {
      name: "configuration",
      async examine() {
        const { mode, host, port, stream } = config();
        const kind = stream.address === "outbox" ? "one machine" : "a stream between machines";
        return `mode ${mode}, port ${port} on ${host}, ${kind}`;
      },
    },
    { name: "protections", examine: async () => examineProtections(config()) },
    { name: "data folder", examine: () => examineData(config()) },
    { name: "database", examine: () => examineDatabase(config(), migrationsFolder) },
    { name: "service", examine: () => examineProbe("/health", config(), environment, clock) },
    { name: "ready", examine: () => examineProbe("/ready", config(), environment, clock) },
  ];
}

function examineProtections(config: Config) {
  const off = formatProtectionsOff(config);
  const profile = `profile ${config.profile}`;
  return off === undefined ? `${profile}: all are on` : { warning: `${profile}; ${off}` };
}

async function examineData({ dataFolder, ledgerKeyFile, channelsKeyFile, devicesCaFile }: Config) {
  await access(dataFolder, constants.R_OK | constants.W_OK).catch((cause: unknown) => {
    throw new Problem("failed", `${dataFolder} does not exist or may not be written by this user`, { cause });
  });
  const secrets = [ledgerKeyFile, channelsKeyFile, devicesCaFile, join(dataFolder, "initial-admin-password")];
  for (const path of secrets) {
    const found = await stat(path).catch(() => undefined);
    if (found && isOpenToOthers(found)) throw new Problem("failed", `other users may read ${path}: chmod 600 it`);
  }
  const { bavail, bsize } = await statfs(dataFolder);
  const freeMib = Math.floor((bavail * bsize) / MIB);
  const text = `${freeMib} MiB are free in ${dataFolder}`;
  if (freeMib * MIB < MIN_FREE_BYTES) throw new Problem("failed", `the disk is full: ${text}`);
  return freeMib < LOW_MIB ? { warning: text } : text;
}

async function examineDatabase({ databaseUrl, mode }: Config, migrationsFolder: string) {
  if (databaseUrl === undefined) {
    if (mode === "dummy") return "not used in mode dummy";
    throw new Problem("failed", "SOC_DATABASE_URL: is required outside mode dummy");
  }
  const { version, missing } = await inspectDatabase(databaseUrl, migrationsFolder);
  const text = `PostgreSQL ${version}`;
  return missing === 0 ? `${text}, tables up to date` : { warning: `${text}, ${missing} migrations are missing` };
}

async function examineProbe(path: string, config: Config, environment: Environment, clock: DoctorDeps["clock"]) {
  const { status, text } = await askProbe(path, config, environment, clock);
  if (status !== 200) throw new Problem("failed", `${path} answered ${status}`);
  return text.trim();
}
