import { execFile } from "node:child_process";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../deb.ts";

const run = promisify(execFile);
/** The time of the sources; any fixed value serves a test. */
const EPOCH = "1794700800";
const FILES: Readonly<Record<string, string>> = {
  "usr/lib/manara-player/player/package.json": '{"name":"manara-player","version":"2.3.4"}',
  "usr/lib/raspi-firmware/start4.elf": "firmware",
  "usr/lib/u-boot/rpi_arm64/u-boot.bin": "boot loader",
  "usr/lib/linux-image-6.1.0-arm64/broadcom/bcm2711-rpi-4-b.dtb": "device tree",
  "usr/lib/linux-image-6.1.0-arm64/broadcom/bcm4908-router.dtb": "device tree of another board",
};

/** A folder with what the recipes look for in the root of a device, and nothing else. */
export async function makeSmallRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "small-root-"));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(join(folder, "boot"));
  await symlink("../usr/lib/linux-image-6.1.0-arm64", join(folder, "boot/dtbs"));
  return folder;
}

/** Runs a recipe as `npm run` does, with a command before it if one is given. Returns the lines that it prints. */
export async function runRecipe(name: string, words: readonly string[], before: readonly string[] = []) {
  const [program = "", ...rest] = [
    ...before,
    process.execPath,
    join(ROOT, `packaging/dist/build-${name}.js`),
    ...words,
  ];
  const env = { ...process.env, SOURCE_DATE_EPOCH: EPOCH };
  return (await run(program, rest, { env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim().split("\n");
}
