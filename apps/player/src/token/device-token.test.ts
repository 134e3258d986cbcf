import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDeviceToken } from "./device-token.ts";
import { replaceToken } from "./token.ts";

const ids = createIds(createFakeClock());

async function newDevice() {
  const dataFolder = await mkdtemp(join(tmpdir(), "token-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const shown: string[] = [];
  const start = () => openDeviceToken({ dataFolder, ids, log: silentLog, onNew: ({ value }) => shown.push(value) });
  const untilFiles = (names: string[]) =>
    vi.waitFor(async () => expect((await readdir(dataFolder)).toSorted()).toEqual(names));
  return { dataFolder, shown, start, untilFiles };
}

it("is announced by the start that created it, and by no later one", async () => {
  const { shown, start } = await newDevice();
  const token = await start();
  token.announce();
  expect(shown).toEqual([token.current()]);
  (await start()).announce();
  expect(shown).toHaveLength(1);
});

it("counts as unused until a person has used it, also after a restart", async () => {
  const { start, untilFiles } = await newDevice();
  expect((await start()).isPaired()).toBe(false);
  const token = await start();
  expect(token.isPaired()).toBe(false);
  token.markPaired();
  expect(token.isPaired()).toBe(true);
  await untilFiles(["token"]);
  expect((await start()).isPaired()).toBe(true);
});

it("counts as used on a device of a release that did not record it", async () => {
  const { dataFolder, start } = await newDevice();
  await start();
  await rm(join(dataFolder, "unpaired"));
  expect((await start()).isPaired()).toBe(true);
});

it("is unused again when it is replaced, by a reset or by the command", async () => {
  const { dataFolder, shown, start } = await newDevice();
  const token = await start();
  const former = token.current();
  token.markPaired();
  await token.renew();
  expect(token.isPaired()).toBe(false);
  expect(shown).toEqual([token.current()]);
  expect(token.current()).not.toBe(former);
  expect((await readFile(join(dataFolder, "token"), "utf8")).trim()).toBe(token.current());
  await rm(join(dataFolder, "unpaired"));
  await replaceToken(dataFolder, ids);
  expect((await start()).isPaired()).toBe(false);
});

it("stays unused when the former one is used while it is being replaced", async () => {
  const { start, untilFiles } = await newDevice();
  for (let turns = 0; turns < 100; turns += 1) {
    const token = await start();
    const former = token.current();
    const renewed = token.renew();
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    if (token.current() === former) token.markPaired();
    await renewed;
    expect(token.isPaired()).toBe(false);
    await untilFiles(["token", "unpaired"]);
  }
});
