import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createYamlFolder } from "./yaml-folder.ts";

const folder = await mkdtemp(join(tmpdir(), "rules-"));
afterAll(() => rm(folder, { recursive: true }));

it("reads the YAML files of a folder and of those below it, by name", async () => {
  await mkdir(join(folder, "small/below"), { recursive: true });
  await writeFile(join(folder, "small/b.yml"), "title: b\n");
  await writeFile(join(folder, "small/below/a.yaml"), "title: a\n");
  await writeFile(join(folder, "small/notes.md"), "# Notes\n");
  expect(await createYamlFolder(join(folder, "small")).read()).toEqual([
    { name: "b.yml", text: "title: b\n" },
    { name: "below/a.yaml", text: "title: a\n" },
  ]);
});

it("refuses a folder whose rules are larger than 64 MiB, before it reads them", async () => {
  await mkdir(join(folder, "large"));
  for (const name of ["a.yaml", "b.yaml"]) {
    await writeFile(join(folder, "large", name), "");
    await truncate(join(folder, "large", name), 40 * 1024 * 1024);
  }
  await expect(createYamlFolder(join(folder, "large")).read()).rejects.toThrow(
    "the YAML files of the folder are larger than 64 MiB: name the folder that has only rules",
  );
});
