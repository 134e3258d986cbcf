import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../counts.ts";
import { buildPackage, capture, ROOT } from "../../deb.ts";
import { createPlayerClient } from "../client.ts";
import { makeSmallRoot, runRecipe } from "./device-root.ts";

// A build makes the image of a few files. `npm run prove -- player-package` makes the whole one, for which programs of arm64 run in an emulator.

const clock = createClock();
const WITH_ARM64 = join(ROOT, "packaging/player/image/with-arm64");
/** A Debian of a device that was made before: to make one takes most of the time. */
const GIVEN_ROOT = process.env.PROVE_PLAYER_ROOT;
const HOME = "usr/lib/manara-player";
const MIB = 1024 * 1024;
/** Sectors of 512 bytes in a MiB. */
const SECTORS = 2048;
/** The table of docs/operations/player-image.md: start and size in MiB, and the type. */
const TABLE = [
  [4, 124, "c"],
  [128, 2048, "83"],
  [2176, 2048, "83"],
  [4224, 1024, "83"],
];

let work: string;
let image: string;
let slot: string;

if (!isFull) console.log("NOT RUN: the whole image of a Raspberry Pi; npm run prove -- player-package runs it");

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "image-"));
  [image, slot] = isFull ? await buildWhole() : await buildSmall();
}, 3_600_000);
afterAll(() => rm(work, { recursive: true }));

async function buildSmall(): Promise<[string, string]> {
  const root = await makeSmallRoot();
  const [made = "", system = ""] = await runRecipe("player-image", [`--root=${root}`, `--folder=${work}`]);
  await rm(root, { recursive: true });
  return [made, system];
}

async function buildWhole(): Promise<[string, string]> {
  const keys = ["-keyout", join(work, "signer.key"), "-out", join(work, "keyring.pem")];
  const kind = [
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-subj",
    "/O=Test/CN=signer",
  ];
  await capture("openssl", "req", ...kind, ...keys);
  const system = GIVEN_ROOT
    ? [`--root=${GIVEN_ROOT}`]
    : [`--deb=${await buildPackage({ architecture: "arm64" })}`, `--keyring=${join(work, "keyring.pem")}`];
  const words = [...system, `--folder=${join(work, "whole")}`];
  const fromMs = clock.monotonicMs();
  const [made = "", slotFile = ""] = await runRecipe("player-image", words, GIVEN_ROOT ? [] : [WITH_ARM64]);
  console.log(`the whole image was built in ${((clock.monotonicMs() - fromMs) / 1000).toFixed(0)} s`);
  return [made, slotFile];
}

/** In bytes. */
function findPlace(partition: number): { start: number; size: number } {
  const [start = 0, size = 0] = TABLE[partition - 1] ?? [];
  return { start: Number(start) * MIB, size: Number(size) * MIB };
}
/** The e2fsprogs syntax for a file system inside a file. */
const inside = (partition: number) => `${image}?offset=${findPlace(partition).start}`;

/** A command of debugfs on the file system of the slot. */
const inSlot = (command: string) => capture("debugfs", "-R", command, slot);
const listBoot = async (file: string) => (await capture("mdir", "-b", "-i", file, "::")).trim().split("\n");

describe("Raspberry Pi image", () => {
  it("has the documented partitions, with the names that the boot loader and RAUC use", async () => {
    const { partitiontable } = JSON.parse(await capture("sfdisk", "--json", image));
    expect([partitiontable.label, partitiontable.id]).toEqual(["dos", "0x4d414e41"]);
    const found = partitiontable.partitions.map(({ start, size, type }: Record<string, number>) => [
      Number(start) / SECTORS,
      Number(size) / SECTORS,
      type,
    ]);
    expect(found).toEqual(TABLE);
    const system = await readFile(join(ROOT, "packaging/player/image/system.conf"), "utf8");
    for (const place of ["02", "03"]) expect(system).toContain(`device=/dev/disk/by-partuuid/4d414e41-${place}`);
  });

  it("has firmware, U-Boot, its script and the device trees in the first partition", async () => {
    const boot = `${image}@@${findPlace(1).start}`;
    const names = await listBoot(boot);
    for (const name of ["config.txt", "boot.scr", "u-boot.bin", "start4.elf", "bcm2711-rpi-4-b.dtb"]) {
      expect(names).toContain(`::/${name}`);
    }
    expect(names).not.toContain("::/bcm4908-router.dtb");
    const script = await readFile(join(ROOT, "packaging/player/image/boot.cmd"), "utf8");
    expect(await capture("mtype", "-i", boot, "::boot.scr")).toContain(script);
    const file = join(work, "boot");
    await capture("dd", `if=${image}`, `of=${file}`, "bs=1M", "skip=4", "count=124", "status=none");
    expect(await capture("fsck.vfat", "-n", file)).not.toMatch(/error|differ|corrupt/i);
  });

  it("has the system in slot A, nothing in slot B, and space for data that survives an update", async () => {
    const cmp = (partition: number, other: string) => {
      const { start, size } = findPlace(partition);
      return capture("cmp", `--ignore-initial=${start}:0`, `--bytes=${size}`, image, other);
    };
    expect(await cmp(2, slot)).toBe("");
    expect(await cmp(3, "/dev/zero")).toBe("");
    for (const partition of [2, 4]) await capture("e2fsck", "-f", "-n", inside(partition));
    const listed = await capture("debugfs", "-R", "ls -p /", inside(4));
    const names = [...listed.matchAll(/^\/\d+\/(\d+)\/0\/0\/([A-Za-z+-]+)\//gm)].map(
      ([, mode, name]) => `${mode} ${name}`,
    );
    expect(names.toSorted()).toEqual([
      "040700 NetworkManager",
      "040700 lost+found",
      "040700 manara-player",
      "040700 system-connections",
      "040700 timesync",
    ]);
    const fstab = await readFile(join(ROOT, "packaging/player/image/fstab"), "utf8");
    for (const name of names.filter((each) => !each.endsWith("lost+found"))) {
      expect(fstab).toContain(`\n/data/${name.split(" ")[1]} `);
    }
  });
});

describe.runIf(isFull)("complete system in slot A", () => {
  it("has player, updater, kernel and boot loader, and no secret that two devices would share", async () => {
    const exists = async (path: string) => /Inode: \d+/.test(await inSlot(`stat /${path}`));
    for (const path of [
      ...[
        "vmlinuz",
        "initrd.img",
        "boot/dtbs/broadcom/bcm2711-rpi-4-b.dtb",
        `${HOME}/bin/node`,
        `${HOME}/bin/boot-loader`,
      ],
      ...["usr/bin/rauc", "usr/bin/fw_setenv", "usr/bin/mpv", "usr/sbin/NetworkManager", "etc/rauc/keyring.pem"],
      ...[
        "etc/systemd/system/multi-user.target.wants/manara-player.service",
        "usr/lib/firmware/brcm/brcmfmac43455-sdio.txt",
      ],
    ]) {
      expect([path, await exists(path)]).toEqual([path, true]);
    }
    for (const path of ["usr/sbin/sshd", "etc/ssh", "var/lib/manara-player/token", "var/lib/dbus/machine-id"]) {
      expect([path, await exists(path)]).toEqual([path, false]);
    }
    expect(await inSlot("cat /etc/machine-id")).toBe("uninitialized\n");
    const passwords = (await inSlot("cat /etc/shadow"))
      .trim()
      .split("\n")
      .map((line) => line.split(":")[1]);
    expect(passwords.filter((each) => !/^[!*]+$/.test(each ?? ""))).toEqual([]);
    const free = /Free blocks:\s+(\d+)/.exec(await capture("dumpe2fs", "-h", slot))?.[1];
    console.log(`slot A has ${((Number(free) * 4096) / 1e6).toFixed(0)} MB free of 2147 MB`);
  });

  it("starts the player in an emulator from its files alone", async () => {
    const root = join(work, "root");
    await capture("sh", "-c", `mkdir '${root}' && debugfs -R 'rdump / ${root}' '${slot}' 2>/dev/null`);
    const [port, dataFolder] = [await freePort(), await mkdtemp(join(tmpdir(), "player-"))];
    const fromMs = clock.monotonicMs();
    const service = await startProcess({
      command: "qemu-aarch64-static",
      args: ["-L", root, join(root, HOME, "bin/node"), join(root, HOME, "player/bundle/main.js")],
      env: { PLAYER_PORT: String(port), PLAYER_DATA_DIR: dataFolder },
      readyWhen: / is ready at /,
      withinMs: 180_000,
    });
    console.log(`the player of the image: ready after ${((clock.monotonicMs() - fromMs) / 1000).toFixed(1)} s`);
    const client = await createPlayerClient({ url: `https://localhost:${port}`, dataFolder });
    onTestFinished(async () => {
      client.close();
      await service.stop();
    });
    expect((await client.get("/api/system")).body).toMatchObject({ version: "1.0.0", boot_failures: [] });
  });
});
