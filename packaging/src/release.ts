import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Type from "typebox";
import Value from "typebox/value";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** For tests: a package that takes a second to build. */
export const QUICK = ["-Zzstd", "-z1"];

export function readVersion(product: "player" | "soc"): string {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "apps", product, "package.json"), "utf8"));
  return Value.Parse(Type.Object({ version: Type.String() }), manifest).version;
}

/** reproducible-builds.org: the time of the sources, not of the build. */
export function readEpoch(given: string | undefined): number {
  const text = given ?? execFileSync("git", ["log", "-1", "--format=%ct"], { cwd: ROOT, encoding: "utf8" });
  const epochS = Number(text);
  if (!Number.isSafeInteger(epochS) || epochS < 0) throw new Error("SOURCE_DATE_EPOCH: must be whole seconds");
  return epochS;
}
