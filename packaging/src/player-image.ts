import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBootScript } from "./boot-script.ts";
import { runProgram } from "./programs.ts";

export interface PlayerImageOptions {
  /** The root of the repository. */
  root: string;
  /** The file system of slot A, as the bundle carries it. */
  slot: string;
  /** The folder of the firmware, U-Boot and the device trees, for the first partition. */
  boot: string;
  epochS: number;
  /** The finished image of a memory card. */
  file: string;
}

/** In MiB. Two slots of equal size; slot B is empty until the first update. */
const PARTITIONS = [
  { name: "boot", start: 4, size: 124, type: "c" },
  { name: "slot-a", start: 128, size: 2048, type: "83" },
  { name: "slot-b", start: 2176, size: 2048, type: "83" },
  { name: "data", start: 4224, size: 1024, type: "83" },
] as const;
const IMAGE_MIB = 5248;
const SLOT_MIB = 2048;
/** "MANA": system.conf, fstab and boot.cmd name the partitions by it. */
const DISK_ID = "4d414e41";
const SLOT_UUID = "4d414e41-0000-4000-8000-000000000001";
const DATA_UUID = "4d414e41-0000-4000-8000-000000000002";
/** What fstab binds into the root. */
const DATA_FOLDERS = ["manara-player", "system-connections", "NetworkManager", "timesync"];
const MIB = 1024 * 1024;
const PRIVATE = 0o700;

/** Makes the ext4 file system of a slot from a folder, without mounting anything. */
export async function buildSlot(folder: string, file: string, epochS: number): Promise<void> {
  await makeExt4({ folder, file, mebibytes: SLOT_MIB, label: "manara", uuid: SLOT_UUID, epochS });
}

/** Puts a partition table, the boot partition, slot A and an empty data partition into a file. */
export async function buildPlayerImage({ root, slot, boot, epochS, file }: PlayerImageOptions): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "manara-image-"));
  try {
    await makeBoot({ root, boot, file: join(work, "boot"), epochS });
    await makeData(join(work, "data"), epochS);
    const lines = PARTITIONS.map(({ start, size, type }) => `start=${start}MiB, size=${size}MiB, type=${type}\n`);
    await writeFile(file, "");
    await truncate(file, IMAGE_MIB * MIB);
    await feed("sfdisk", ["--quiet", file], `label: dos\nlabel-id: 0x${DISK_ID}\n${lines.join("")}`);
    const contents = { boot: join(work, "boot"), "slot-a": slot, data: join(work, "data") };
    for (const { name, start } of PARTITIONS) {
      if (name === "slot-b") continue;
      const flags = ["bs=1M", `seek=${start}`, "conv=notrunc,sparse", "status=none"];
      await runProgram("dd", [`if=${contents[name]}`, `of=${file}`, ...flags], epochS);
    }
  } finally {
    await rm(work, { recursive: true });
  }
}

interface BootPartition {
  root: string;
  boot: string;
  file: string;
  epochS: number;
}

async function makeBoot({ root, boot, file, epochS }: BootPartition): Promise<void> {
  const sources = join(root, "packaging/player/image");
  await cp(join(sources, "config.txt"), join(boot, "config.txt"));
  const script = await readFile(join(sources, "boot.cmd"), "utf8");
  await writeFile(join(boot, "boot.scr"), buildBootScript(script, "Manara Player", epochS));
  await writeFile(file, "");
  await truncate(file, PARTITIONS[0].size * MIB);
  await runProgram("mformat", ["-i", file, "-F", "-v", "MANARABOOT", "-N", DISK_ID, "::"], epochS);
  const files = (await readdir(boot)).toSorted().map((name) => join(boot, name));
  await runProgram("mcopy", ["-i", file, "-s", ...files, "::"], epochS);
}

async function makeData(file: string, epochS: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "manara-data-"));
  try {
    for (const name of DATA_FOLDERS) await mkdir(join(folder, name), { mode: PRIVATE });
    const mebibytes = PARTITIONS[3].size;
    await makeExt4({ folder, file, mebibytes, label: "manara-data", uuid: DATA_UUID, epochS });
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Ext4 {
  folder: string;
  file: string;
  mebibytes: number;
  label: string;
  uuid: string;
  epochS: number;
}

async function makeExt4({ folder, file, mebibytes, label, uuid, epochS }: Ext4): Promise<void> {
  const identity = ["-L", label, "-U", uuid, "-E", `hash_seed=${uuid},root_owner=0:0`];
  // U-Boot of Debian 12 reads the features of 2022.
  const features = ["-O", "^metadata_csum_seed,^orphan_file", "-m", "1"];
  const words = ["-q", "-F", "-t", "ext4", "-d", folder, ...identity, ...features, file, `${mebibytes}M`];
  await rm(file, { force: true });
  await runProgram("mke2fs", words, epochS);
}

async function feed(name: string, words: readonly string[], input: string): Promise<void> {
  const child = spawn(name, words, { stdio: ["pipe", "ignore", "inherit"] });
  const ended = once(child, "close");
  child.stdin.end(input);
  await ended;
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${String(child.exitCode)}`);
}
