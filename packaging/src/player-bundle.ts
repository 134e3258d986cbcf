import { link, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parsePlayerVersion, VERSION_FILE } from "./player-root.ts";
import { runProgram } from "./programs.ts";

export interface PlayerBundleOptions {
  /** The file system of a slot. */
  slot: string;
  version: string;
  /** Only a device whose system.conf has the same takes the bundle. */
  compatible: string;
  /** verity: checked block by block while it is installed, by device mapper. plain: read as a whole first. */
  format: "verity" | "plain";
  /** Of the signer: PEM files. */
  certificate: string;
  key: string;
  /** What the device has as its keyring: the bundle is checked by it at once. */
  keyring: string;
  epochS: number;
  file: string;
}

/** Makes the signed bundle that `POST /api/ota/upload` takes. */
export async function buildPlayerBundle(options: PlayerBundleOptions): Promise<void> {
  const { slot, version, compatible, format, certificate, key, keyring, epochS, file } = options;
  // Next to the slot: a hard link takes no space.
  const content = await mkdtemp(join(dirname(slot), "bundle-"));
  try {
    await link(slot, join(content, "rootfs.ext4"));
    await writeFile(join(content, "manifest.raucm"), buildManifest({ compatible, version, format }));
    const signer = [`--cert=${certificate}`, `--key=${key}`, `--keyring=${keyring}`];
    await runProgram("rauc", ["bundle", ...signer, content, file], epochS);
  } finally {
    await rm(content, { recursive: true });
  }
}

/** The version of the player in the file system of a slot. */
export async function readSlotVersion(slot: string): Promise<string> {
  return parsePlayerVersion(await runProgram("debugfs", ["-R", `cat /${VERSION_FILE}`, slot], 0), slot);
}

function buildManifest({
  compatible,
  version,
  format,
}: Pick<PlayerBundleOptions, "compatible" | "version" | "format">) {
  return `[update]
compatible=${compatible}
version=${version}

[bundle]
format=${format}

[image.rootfs]
filename=rootfs.ext4
`;
}
