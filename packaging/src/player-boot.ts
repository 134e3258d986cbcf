import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";

const U_BOOT = "usr/lib/u-boot/rpi_arm64/u-boot.bin";
const FIRMWARE = "usr/lib/raspi-firmware";
const TREES = "boot/dtbs/broadcom";
/** The firmware hands U-Boot a device tree; U-Boot replaces it by that of the slot's kernel. */
const TREE = /^bcm(27|28)\d+-rpi-.*\.dtb$/;

/** Collects for the first partition what a root has for it: Debian's firmware and U-Boot, and the device trees of its kernel. */
export async function collectBootFiles(playerRoot: string, folder: string): Promise<void> {
  await cp(join(playerRoot, FIRMWARE), folder, { recursive: true });
  await cp(join(playerRoot, U_BOOT), join(folder, "u-boot.bin"));
  const trees = join(playerRoot, TREES);
  for (const name of (await readdir(trees)).filter((each) => TREE.test(each))) {
    await cp(join(trees, name), join(folder, name));
  }
}
