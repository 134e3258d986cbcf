import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { collectBootFiles } from "./player-boot.ts";
import { buildPlayerImage, buildSlot } from "./player-image.ts";
import { buildPlayerRoot, readPlayerVersion } from "./player-root.ts";
import { ROOT, readEpoch } from "./release.ts";

/**
 * `npm run image:player`: the memory card of a Raspberry Pi, as root. Prints the image, and the file system of a slot from which `npm run bundle:player`
 * makes a bundle. With --root the Debian of the device is a folder that exists already.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      deb: { type: "string" },
      keyring: { type: "string" },
      root: { type: "string" },
      folder: { type: "string", default: join(ROOT, "dist") },
    },
  });
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  const work = await mkdtemp(join(tmpdir(), "manara-device-"));
  try {
    const root = values.root ?? join(work, "root");
    if (values.root === undefined) {
      const { deb, keyring } = values;
      if (deb === undefined || keyring === undefined) throw new Error("--deb and --keyring: required without --root");
      await buildPlayerRoot({ root: ROOT, deb, keyring, epochS, folder: root });
    }
    const boot = join(work, "boot");
    await collectBootFiles(root, boot);
    await mkdir(values.folder, { recursive: true });
    const name = join(values.folder, `manara-player_${await readPlayerVersion(root)}_raspberry-pi`);
    await buildSlot(root, `${name}.ext4`, epochS);
    await buildPlayerImage({ root: ROOT, slot: `${name}.ext4`, boot, epochS, file: `${name}.img` });
    process.stdout.write(`${name}.img\n${name}.ext4\n`);
  } finally {
    await rm(work, { recursive: true });
  }
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
