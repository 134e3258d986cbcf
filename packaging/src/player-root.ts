import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import Type from "typebox";
import Value from "typebox/value";
import { runProgram } from "./programs.ts";

export interface PlayerRootOptions {
  /** The root of the repository. */
  root: string;
  /** The package of the player for arm64. */
  deb: string;
  /** The certificate that signs, or the authority of the certificates that sign, the bundles which a device shall accept. */
  keyring: string;
  epochS: number;
  /** The new root folder. */
  folder: string;
}

/** Relative to the root. */
export const VERSION_FILE = "usr/lib/manara-player/player/package.json";
const Manifest = Type.Object({ version: Type.String() });
const SUITE = "bookworm";
const KERNEL = ["linux-image-arm64", "initramfs-tools", "zstd", "u-boot-rpi", "firmware-brcm80211", "e2fsprogs"];
const SYSTEM = ["systemd-sysv", "udev", "dbus", "polkitd", "kmod", "iproute2", "procps", "tzdata", "ca-certificates"];
/** What the package recommends, and the updater with what its boot loader needs. There is no SSH server. */
const PARTS = [
  "alsa-utils",
  "avahi-daemon",
  "dnsmasq-base",
  "network-manager",
  "wpasupplicant",
  "pcscd",
  "systemd-timesyncd",
  "rauc",
  "rauc-service",
  "libubootenv-tool",
];
/** Installs only its files: its scripts would write to a boot partition, and the image already has one. */
const ADD_FIRMWARE = `chroot "$1" sh -ec '
cd /root
apt-get download raspi-firmware
dpkg-deb --fsys-tarfile raspi-firmware_*.deb | tar --extract --keep-directory-symlink --directory=/ ./usr/lib/raspi-firmware ./lib/firmware
rm raspi-firmware_*.deb'`;
/** The places in the root of files below packaging/player/image. */
const FILES: Readonly<Record<string, string>> = {
  fstab: "etc/fstab",
  "system.conf": "etc/rauc/system.conf",
  "fw_env.config": "etc/fw_env.config",
  "watchdog.conf": "etc/systemd/system.conf.d/manara.conf",
  "journald.conf": "etc/systemd/journald.conf.d/manara.conf",
  "boot-loader": "usr/lib/manara-player/bin/boot-loader",
};
const FOLDERS = [
  "boot/firmware",
  "data",
  "var/lib/manara-player",
  "var/lib/NetworkManager",
  "var/lib/systemd/timesync",
];

/** Makes the Debian of a device with the player in it, by mmdebstrap. Foreign programs run in the emulator that the kernel knows. */
export async function buildPlayerRoot({ root, deb, keyring, epochS, folder }: PlayerRootOptions): Promise<void> {
  const inside = `/root/${basename(deb)}`;
  const install = `chroot "$1" apt-get install --yes --no-install-recommends ${inside} && rm "$1${inside}"`;
  const hooks = [`upload '${deb}' ${inside}`, install, ADD_FIRMWARE].map((hook) => `--customize-hook=${hook}`);
  const include = `--include=${[...KERNEL, ...SYSTEM, ...PARTS].join(",")}`;
  // It would ask for arch-test; a kernel that cannot start arm64 fails at the first script of a package.
  const kind = [
    "--quiet",
    "--skip=check/qemu",
    "--variant=minbase",
    "--architectures=arm64",
    "--components=main non-free-firmware",
  ];
  await runProgram("mmdebstrap", [...kind, include, ...hooks, SUITE, folder], epochS);
  await addFiles(root, folder, keyring);
}

async function addFiles(root: string, folder: string, keyring: string): Promise<void> {
  for (const [name, place] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await cp(join(root, "packaging/player/image", name), join(folder, place));
  }
  await cp(keyring, join(folder, "etc/rauc/keyring.pem"));
  for (const each of FOLDERS) await mkdir(join(folder, each), { recursive: true });
  await writeFile(join(folder, "etc/hostname"), "manara\n");
  await writeFile(join(folder, "etc/hosts"), "127.0.0.1 localhost\n127.0.1.1 manara\n::1 localhost\n");
  // Every device makes its own at its first start.
  await writeFile(join(folder, "etc/machine-id"), "uninitialized\n");
  await rm(join(folder, "var/lib/dbus/machine-id"), { force: true });
  // mmdebstrap leaves that of the machine that builds.
  await rm(join(folder, "etc/resolv.conf"), { force: true });
  await symlink(`../usr/lib/${await findTrees(folder)}`, join(folder, "boot/dtbs"));
}

/** The device trees of the kernel, by which U-Boot finds those of a board. */
async function findTrees(folder: string): Promise<string> {
  const found = (await readdir(join(folder, "usr/lib"))).filter((name) => name.startsWith("linux-image-"));
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`the root has ${found.length} kernels, not one`);
  return only;
}

/** The version of the player that a root has. */
export async function readPlayerVersion(folder: string): Promise<string> {
  return parsePlayerVersion(await readFile(join(folder, VERSION_FILE), "utf8"), folder);
}

export function parsePlayerVersion(text: string, place: string): string {
  const manifest: unknown = text === "" ? {} : JSON.parse(text);
  if (!Value.Check(Manifest, manifest)) throw new Error(`${place} has no player`);
  return manifest.version;
}
