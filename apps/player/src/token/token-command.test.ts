import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { expect, it } from "vitest";
import { runTokenCommand } from "./token-command.ts";

const ids = createIds(createFakeClock());

async function newDevice() {
  const folder = await mkdtemp(join(tmpdir(), "token-"));
  const run = (...words: string[]) => runTokenCommand(words, folder, ids);
  return { run, kept: () => readFile(join(folder, "token"), "utf8") };
}

it("prints only the token", async () => {
  const { run, kept } = await newDevice();
  const printed = await run("token");
  expect(printed).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: "" });
  expect(await run("token")).toEqual(printed);
  expect(await kept()).toBe(printed.stdout);
});

it("replaces the token and prints the remaining steps", async () => {
  const { run, kept } = await newDevice();
  const first = await run("token");
  const second = await run("token", "--new");
  expect(second.stdout).not.toBe(first.stdout);
  expect(second).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("restarted") });
  expect(await kept()).toBe(second.stdout);
});

it.each([[[]], [["--new"]], [["token", "--old"]], [["token", "--new", "x"]], [["token --new"]], [["--help"]]])(
  "prints its usage for %j",
  async (words) => {
    const { run, kept } = await newDevice();
    expect(await run(...words)).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/^Usage: /) });
    await expect(kept()).rejects.toThrow("ENOENT");
  },
);
