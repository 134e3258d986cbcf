import { access, constants, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Examination } from "@kit/config/checks";
import { Problem } from "@kit/problem";
import Value from "typebox/value";
import type { Config } from "../config.ts";
import { measureFreeBytes } from "../storage/storage.ts";
import { SystemBody } from "../system/system.schema.ts";
import { type AskService, requireAnswer } from "./service-client.ts";

export interface DoctorDeps {
  environment: Readonly<Record<string, string | undefined>>;
  /** Throws with the name of a wrong variable. */
  readConfig: () => Config;
  createClient: (config: Config) => AskService;
}

const MIN_FREE_MIB = 64;
const MIB = 1024 ** 2;

/** What keeps a device from playing, from outside to inside. */
export function listExaminations({ environment, readConfig, createClient }: DoctorDeps): Examination[] {
  return [
    {
      name: "configuration",
      async examine() {
        const { host, port, isSimulated } = readConfig();
        return `port ${port} on ${host}, ${isSimulated ? "simulated hardware" : "the machine's own hardware"}`;
      },
    },
    { name: "data folder", examine: () => examineData(readConfig()) },
    { name: "memory card", examine: () => examineCard(readConfig()) },
    { name: "sound", examine: () => examineSound(readConfig(), environment.PATH ?? "") },
    { name: "service", examine: () => examineService(createClient(readConfig())) },
    { name: "token and clock", examine: () => examineOwner(createClient(readConfig())) },
  ];
}

async function examineData({ dataFolder }: Config) {
  await access(dataFolder, constants.R_OK | constants.W_OK).catch((cause: unknown) => {
    throw new Problem("failed", `${dataFolder} does not exist or may not be written by this user`, { cause });
  });
  const freeMib = Math.floor((await measureFreeBytes(dataFolder)) / MIB);
  if (freeMib < MIN_FREE_MIB) throw new Problem("failed", `only ${freeMib} MiB are free in ${dataFolder}`);
  const token = await stat(join(dataFolder, "token")).catch(() => undefined);
  if (!token) return { warning: `there is no token in ${dataFolder} yet: the service creates it` };
  if ((token.mode & 0o077) !== 0) throw new Problem("failed", "other users may read the token: chmod 600 it");
  return `${freeMib} MiB are free in ${dataFolder}`;
}

async function examineCard({ cardFolder }: Config) {
  const isThere = await access(cardFolder, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isThere ? cardFolder : { warning: `${cardFolder} does not exist: there is no card` };
}

async function examineSound({ isSimulated, audio }: Config, path: string) {
  if (isSimulated) return "simulated";
  if (audio.socketPath !== undefined) {
    await stat(audio.socketPath).catch((cause: unknown) => {
      throw new Problem("failed", `${audio.socketPath} does not exist`, { cause });
    });
    return `through ${audio.socketPath}`;
  }
  for (const folder of path.split(delimiter)) {
    const program = join(folder, "mpv");
    if (
      await access(program, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return program;
  }
  throw new Problem("failed", "mpv is not installed");
}

async function examineService(ask: AskService) {
  const system = Value.Parse(SystemBody, JSON.parse(await requireAnswer(ask("GET", "/api/system"))));
  const failures = system.boot_failures.map(({ component, error }) => `${component}: ${error}`);
  if (failures.length > 0) throw new Problem("failed", failures.join("; "));
  if (system.warnings.length > 0) return { warning: system.warnings.join("; ") };
  return `version ${system.version}, running for ${system.uptime} s`;
}

async function examineOwner(ask: AskService) {
  const { status, text } = await ask("GET", "/metrics");
  if (status === 401) throw new Problem("failed", "the service has another token: restart it after token --new");
  if (status !== 200) throw new Problem("failed", `the service answered ${status}`);
  return text.includes("\nmanara_player_clock_valid 1\n") ? "valid" : { warning: "the device does not know the time" };
}
