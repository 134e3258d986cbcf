import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { packDeb } from "./deb.ts";
import { QUICK, ROOT, readEpoch, readVersion } from "./release.ts";
import { stageSocPackage } from "./soc-package.ts";

/** libchdb.so has 566 MB: xz makes the package a tenth smaller and takes five times as long. */
const SMALL = ["-Zzstd", "-z9"];

/** `npm run package:soc`: the package for Debian on amd64, in dist/; with --stage only the folder that would be packed. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      version: { type: "string", default: readVersion("soc") },
      folder: { type: "string", default: join(ROOT, "dist") },
      stage: { type: "string" },
      quick: { type: "boolean", default: false },
    },
  });
  const { version, folder, quick } = values;
  const epochS = readEpoch(process.env.SOURCE_DATE_EPOCH);
  if (values.stage !== undefined) {
    await stageSocPackage({ root: ROOT, version, epochS, stage: values.stage });
    return;
  }
  const stage = await mkdtemp(join(tmpdir(), "manara-soc-"));
  try {
    await stageSocPackage({ root: ROOT, version, epochS, stage });
    const file = join(folder, `manara-soc_${version}_amd64.deb`);
    await packDeb({ stage, compression: quick ? QUICK : SMALL, epochS, file });
    process.stdout.write(`${file}\n`);
  } finally {
    await rm(stage, { recursive: true });
  }
}

await main();
