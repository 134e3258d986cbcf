import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { capture, ROOT } from "../../deb.ts";

// Tests the script with which RAUC controls U-Boot, with Debian's fw_printenv and fw_setenv on a file. The few lines of
// `start` replace U-Boot.

const run = promisify(execFile);
const SCRIPT = join(ROOT, "packaging/player/image/boot-loader");
const ENVIRONMENT_BYTES = 0x4000;
const folders: string[] = [];
let at: (name: string) => string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "boot-loader-"));
  folders.push(folder);
  at = (name) => join(folder, name);
  const variables = Buffer.alloc(ENVIRONMENT_BYTES - 4);
  variables.write("bootcmd=run distro_bootcmd\0manara_saved=1\0");
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(variables));
  await writeFile(at("uboot.env"), Buffer.concat([sum, variables]));
  await writeFile(at("fw_env.config"), `${at("uboot.env")} 0x0 0x4000\n`);
  for (const name of ["fw_printenv", "fw_setenv"]) {
    await writeFile(at(name), `#!/bin/sh\nexec /usr/bin/${name} --config ${at("fw_env.config")} "$@"\n`);
    await chmod(at(name), 0o755);
  }
  await running("A");
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const running = (slot: string) => writeFile(at("cmdline"), `root=/dev/x rauc.slot=${slot} console=tty1\n`);

async function ask(...words: string[]): Promise<string> {
  const env = { PATH: `${at("")}:${process.env.PATH}`, CMDLINE: at("cmdline") };
  return (await run("sh", [SCRIPT, ...words], { env })).stdout.trim();
}

async function readVariables(): Promise<Record<string, string>> {
  const lines = (await capture(at("fw_printenv"))).trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
}

/** Emulates boot.cmd until it loads a slot. Returns the slot that runs next. */
async function start(): Promise<string> {
  const { manara_default = "A", manara_trial = "", manara_tries = "" } = await readVariables();
  let slot = manara_default;
  if (manara_trial !== "" && Number(manara_tries) > 0) {
    slot = manara_trial;
    await capture(at("fw_setenv"), "manara_tries", String(Number(manara_tries) - 1));
  } else if (manara_trial !== "") {
    await capture(at("fw_setenv"), "manara_trial");
    await capture(at("fw_setenv"), "manara_tries");
  }
  await running(slot);
  return slot;
}

/** As RAUC does when it installs into the slot that does not run. */
async function install(slot: string): Promise<void> {
  await ask("set-state", slot, "bad");
  await ask("set-primary", slot);
}

describe("boot loader controlled by RAUC", () => {
  it("starts slot A repeatedly without writing anything", async () => {
    const before = await readVariables();
    for (let times = 0; times < 5; times += 1) expect(await start()).toBe("A");
    expect(await readVariables()).toEqual(before);
    expect(await ask("get-primary")).toBe("A");
    expect([await ask("get-state", "A"), await ask("get-state", "B")]).toEqual(["good", "good"]);
  });

  it("starts a new system on trial and keeps it when it confirms itself", async () => {
    await install("B");
    expect([await ask("get-primary"), await ask("get-state", "B")]).toEqual(["B", "good"]);
    expect(await start()).toBe("B");
    await ask("set-state", "B", "good");
    await ask("set-primary", "B");
    for (let times = 0; times < 5; times += 1) expect(await start()).toBe("B");
    expect(await ask("get-primary")).toBe("B");
  });

  it("abandons a new system that has not confirmed itself after three starts", async () => {
    await install("B");
    expect([await start(), await start(), await start(), await start(), await start()]).toEqual([
      "B",
      "B",
      "B",
      "A",
      "A",
    ]);
    expect(await ask("get-primary")).toBe("A");
  });

  it("abandons a new system immediately when it marks itself bad", async () => {
    await install("B");
    await start();
    await ask("set-primary", "A");
    await ask("set-state", "B", "bad");
    expect([await ask("get-primary"), await ask("get-state", "B"), await start()]).toEqual(["A", "bad", "A"]);
  });

  it("does not start a slot that is only half written", async () => {
    await install("B");
    await ask("set-state", "B", "bad");
    expect([await ask("get-primary"), await start()]).toEqual(["A", "A"]);
  });

  it("returns to the previous system when the default one is marked bad", async () => {
    await install("B");
    await start();
    await ask("set-primary", "B");
    await ask("set-state", "B", "bad");
    expect([await ask("get-primary"), await start()]).toEqual(["A", "A"]);
  });

  it("keeps every other variable and fails if it cannot store", async () => {
    await install("B");
    expect((await readVariables()).bootcmd).toBe("run distro_bootcmd");
    await writeFile(at("uboot.env"), Buffer.alloc(ENVIRONMENT_BYTES));
    await expect(ask("set-primary", "B")).rejects.toThrow();
    await expect(ask("set-nothing", "B")).rejects.toThrow("'set-nothing' is none of");
  });
});
