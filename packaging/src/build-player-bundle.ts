import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildPlayerBundle, readSlotVersion } from "./player-bundle.ts";
import { ROOT, readEpoch } from "./release.ts";

/** `npm run bundle:player`: a signed update of a device, of the file system that `npm run image:player` makes. Prints its path. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      slot: { type: "string" },
      certificate: { type: "string" },
      key: { type: "string" },
      keyring: { type: "string" },
      compatible: { type: "string", default: "manara-player-raspberry-pi" },
      format: { type: "string", default: "verity" },
      folder: { type: "string", default: join(ROOT, "dist") },
    },
  });
  const { slot, certificate, key, keyring, compatible, format, folder } = values;
  if (slot === undefined || certificate === undefined || key === undefined || keyring === undefined) {
    throw new Error("--slot, --certificate, --key and --keyring: required");
  }
  if (format !== "verity" && format !== "plain") throw new Error(`--format: '${format}' is none of verity, plain`);
  const version = await readSlotVersion(slot);
  const file = join(folder, `${compatible}_${version}.raucb`);
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  await buildPlayerBundle({ slot, version, compatible, format, certificate, key, keyring, epochS, file });
  process.stdout.write(`${file}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
