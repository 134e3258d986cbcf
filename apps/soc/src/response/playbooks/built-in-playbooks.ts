import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LOCAL_YAML } from "../../foundation/yaml/local-yaml.ts";
import type { Definition, Playbook } from "./playbook.ts";
import { checkPlaybook, type KnownActions } from "./playbook-check.ts";
import { buildRefusal, readYaml } from "./playbook-yaml.ts";
import { isRecord } from "./step-template.ts";

export interface ReleasedPlaybook {
  /** Increased with every change of the file. */
  release: number;
  definition: Definition;
}

/** Reads the built-in playbooks, one per file. The worker repeats the error of an invalid file in its log. */
export async function readBuiltInPlaybooks(folder: string, actions: KnownActions): Promise<ReleasedPlaybook[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml")).toSorted();
  return Promise.all(
    files.map(async (file) => readReleased(file, await readFile(join(folder, file), "utf8"), actions)),
  );
}

async function readReleased(file: string, yaml: string, actions: KnownActions): Promise<ReleasedPlaybook> {
  const [written] = await readYaml(LOCAL_YAML, yaml);
  if (!written || !isRecord(written.value)) throw new Error(`${file} does not contain a playbook`);
  const { release, ...value } = written.value;
  if (typeof release !== "number") throw new Error(`${file} has no release`);
  const { definition, misfits } = checkPlaybook(undefined, value, actions);
  if (!definition) throw new Error(`${file}: ${buildRefusal(misfits, written).message}`);
  return { release, definition };
}

/** Converts the built-in playbooks to the form shown without a database. */
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
