import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Type from "typebox";
import Value from "typebox/value";
import { ARCHITECTURES } from "./architecture.ts";
import { buildPlayerPackage } from "./player-package.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SMALL = ["-Zxz"];
/** For tests: a package that takes a second to build. */
const QUICK = ["-Zzstd", "-z1"];

/** `npm run package:player`: a package for each processor, in dist/. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      architecture: { type: "string", multiple: true, default: ARCHITECTURES.map(({ name }) => name) },
      version: { type: "string", default: readVersion() },
      folder: { type: "string", default: join(ROOT, "dist") },
      quick: { type: "boolean", default: false },
    },
  });
  const { version, folder } = values;
  const epochS = readEpoch();
  for (const wanted of values.architecture) {
    const architecture = ARCHITECTURES.find(({ name }) => name === wanted);
    if (!architecture) throw new Error(`--architecture: '${wanted}' is none of amd64, arm64`);
    const compression = values.quick ? QUICK : SMALL;
    const file = await buildPlayerPackage({ root: ROOT, architecture, version, epochS, compression, folder });
    process.stdout.write(`${file}\n`);
  }
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "apps/player/package.json"), "utf8"));
  return Value.Parse(Type.Object({ version: Type.String() }), manifest).version;
}

/** reproducible-builds.org: the time of the sources, not of the build. */
function readEpoch(): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text = given ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" });
  const epochS = Number(text);
  if (!Number.isSafeInteger(epochS) || epochS < 0) throw new Error("SOURCE_DATE_EPOCH: must be whole seconds");
  return epochS;
}

await main();
