import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ARCHITECTURES } from "./architecture.ts";
import { buildPlayerPackage } from "./player-package.ts";
import { QUICK, ROOT, readEpoch, readVersion } from "./release.ts";

const SMALL = ["-Zxz"];

/** `npm run package:player`: a package for each processor, in dist/. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      architecture: { type: "string", multiple: true, default: ARCHITECTURES.map(({ name }) => name) },
      version: { type: "string", default: readVersion("player") },
      folder: { type: "string", default: join(ROOT, "dist") },
      quick: { type: "boolean", default: false },
    },
  });
  const { version, folder } = values;
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  for (const wanted of values.architecture) {
    const architecture = ARCHITECTURES.find(({ name }) => name === wanted);
    if (!architecture) throw new Error(`--architecture: '${wanted}' is none of amd64, arm64`);
    const compression = values.quick ? QUICK : SMALL;
    const file = await buildPlayerPackage({ root: ROOT, architecture, version, epochS, compression, folder });
    process.stdout.write(`${file}\n`);
  }
}

await main();
