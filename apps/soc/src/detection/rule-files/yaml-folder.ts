import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import type { RuleFolder } from "./rules-command.ts";

const MAX_FILES = 20_000;
const YAML = /\.ya?ml$/;

/** The YAML files of a folder and of the folders below it. */
export function createYamlFolder(path: string): RuleFolder {
  return {
    async read() {
      await mkdir(path, { recursive: true });
      const names = (await readdir(path, { recursive: true })).filter((name) => YAML.test(name)).toSorted();
      if (names.length > MAX_FILES) throw new Problem("invalid", `the folder has more than ${MAX_FILES} rules`);
      const files = [];
      for (const name of names) files.push({ name, text: await readFile(join(path, name), "utf8") });
      return files;
    },

    async write({ name, text }) {
      // A file is whole or as it was, whenever the command is stopped.
      const draft = join(path, `${name}.new`);
      await writeFile(draft, text);
      await rename(draft, join(path, name));
    },

    remove: (name) => rm(join(path, name)),
  };
}
