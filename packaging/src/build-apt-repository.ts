import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { buildAptRepository } from "./apt-repository.ts";
import { ROOT, readEpoch } from "./release.ts";

/** `npm run apt-repository`: a repository for apt of the packages in a folder, signed by gpg. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      packages: { type: "string", default: join(ROOT, "dist") },
      folder: { type: "string", default: join(ROOT, "dist/apt") },
      key: { type: "string", default: "" },
    },
  });
  await buildAptRepository({ ...values, epochS: readEpoch(process.env.SOURCE_DATE_EPOCH) });
  process.stdout.write(`${values.folder}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
