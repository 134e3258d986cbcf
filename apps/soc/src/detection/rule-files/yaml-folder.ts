import { mkdir, opendir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { Problem } from "@kit/problem";
import type { RuleFolder } from "./rules-command.ts";

const MAX_FILES = 20_000;
/** All public Sigma rules have 6 MiB. */
const MAX_MIB = 64;
const YAML = /\.ya?ml$/;

/** The YAML files of a folder and its subfolders. */
export function createYamlFolder(path: string): RuleFolder {
  return {
    async read() {
      await mkdir(path, { recursive: true });
      const names = await listNames(path);
      const files = [];
      for (const name of names) files.push({ name, text: await readFile(join(path, name), "utf8") });
      return files;
    },

    async write({ name, text }) {
      // A file is complete or unchanged, whenever the command is stopped.
      const draft = join(path, `${name}.new`);
      await writeFile(draft, text);
      await rename(draft, join(path, name));
    },

    remove: (name) => rm(join(path, name)),
  };
}

/** Stops at the first file beyond a limit, so that a wrong folder, such as `/tmp`, is neither listed nor read. */
async function listNames(path: string): Promise<string[]> {
  const names: string[] = [];
  let bytes = 0;
  for await (const entry of await opendir(path, { recursive: true })) {
    if (entry.isDirectory() || !YAML.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    bytes += (await stat(file)).size;
    names.push(relative(path, file));
    if (names.length > MAX_FILES) throw new Problem("invalid", `the folder has more than ${MAX_FILES} rules`);
    if (bytes > MAX_MIB * 1024 * 1024) {
      throw new Problem(
        "invalid",
        `the YAML files of the folder are larger than ${MAX_MIB} MiB: name the folder that has only rules`,
      );
    }
  }
  return names.toSorted();
}
