import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../executions/step-template.ts";
import type { Definition, Playbook } from "./playbook.ts";
import { checkPlaybook, type KnownActions } from "./playbook-check.ts";
import { buildRefusal, readYaml } from "./playbook-yaml.ts";

export interface ReleasedPlaybook {
  /** Grows when we change it. */
  release: number;
  definition: Definition;
}

/** The playbooks that come with the platform, one to a file. A wrong one stops the start. */
export async function readBuiltInPlaybooks(folder: string, actions: KnownActions): Promise<ReleasedPlaybook[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (file) => readReleased(file, await readFile(join(folder, file), "utf8"), actions)),
  );
}

function readReleased(file: string, yaml: string, actions: KnownActions): ReleasedPlaybook {
  const [written] = readYaml(yaml);
  if (!written || !isRecord(written.value)) throw new Error(`${file} holds no playbook`);
  const { release, ...value } = written.value;
  if (typeof release !== "number") throw new Error(`${file} has no release`);
  const { definition, misfits } = checkPlaybook(undefined, value, actions);
  if (!definition) throw new Error(`${file}: ${buildRefusal(misfits, written).message}`);
  return { release, definition };
}

/** As they are shown where there is no database to keep them in. */
export function toPlaybooks(released: readonly ReleasedPlaybook[], now: Date): Playbook[] {
  return released.map(({ release, definition }) => ({
    ...definition,
    enabled: true,
    version: release,
    updated_by: "manara",
    created_at: now,
    updated_at: now,
  }));
}
