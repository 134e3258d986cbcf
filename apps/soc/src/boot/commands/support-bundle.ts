import { writeFile } from "node:fs/promises";
import { arch, cpus, platform, release, totalmem } from "node:os";
import type { Clock } from "@kit/clock";
import { type Check, runChecks } from "@kit/config/checks";
import { Problem } from "@kit/problem";
import { describeVariables } from "../config/config.ts";
import { type DoctorDeps, listExaminations } from "./doctor.ts";
import { type Environment, openService } from "./service-client.ts";

export interface SupportBundleDeps extends DoctorDeps {
  version: string;
  node: string;
  clock: Pick<Clock, "deadline" | "now">;
}

const MAX_CHARACTERS = 2_000_000;
const FORMAT = "manara-soc-support-1";
/** What the service reports about itself to an authorised caller. */
const PATHS = ["/api/v1/system/health", "/api/v1/system/mode", "/metrics"];

/**
 * Collects everything that a person needs to diagnose a fault, and no secret: no value of a text variable, no record,
 * no log.
 */
export async function buildSupportBundle({ version, node, ...deps }: SupportBundleDeps) {
  const { environment, clock } = deps;
  return {
    format: FORMAT,
    made_at: clock.now().toISOString(),
    version,
    node,
    machine: { platform: platform(), release: release(), arch: arch(), cpus: cpus().length, memory_bytes: totalmem() },
    variables: describeVariables(environment),
    checks: (await runChecks(listExaminations(deps))) satisfies Check[],
    service: await readService(environment),
  };
}

async function readService(
  environment: Environment,
): Promise<Record<string, { status: number; text: string }> | string> {
  if (environment.SOC_URL === undefined) return "not asked: SOC_URL is not set";
  try {
    const { read } = await openService(environment);
    const answers = PATHS.map(async (path) => {
      const { status, text } = await read(path);
      return [path, { status, text: text.slice(0, MAX_CHARACTERS) }] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  } catch (error) {
    return error instanceof Problem ? error.message : "not asked";
  }
}

/** Does not replace an existing file. */
export async function writeSupportBundle(file: string, bundle: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: "wx" }).catch((cause: unknown) => {
    const exists = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
    throw new Problem("invalid", exists ? `${file} already exists` : `${file} cannot be written`, { cause });
  });
}
