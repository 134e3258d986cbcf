import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeDurably } from "./durable-file.ts";

it("replaces the content, readable only by the owner, and leaves no other file behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "durable-"));
  const path = join(folder, "deep", "token");
  await writeDurably(path, "first");
  await writeDurably(path, "second");
  expect(await readFile(path, "utf8")).toBe("second");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, "deep"))).toEqual(["token"]);
});

it("starts again when an earlier write was interrupted", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "durable-")), "token");
  await writeDurably(path, "whole");
  await writeFile(`${path}.new`, "ha");
  expect(await readFile(path, "utf8")).toBe("whole");
  await writeDurably(path, "next");
  expect(await readFile(path, "utf8")).toBe("next");
});
