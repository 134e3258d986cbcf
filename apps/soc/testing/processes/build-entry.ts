import { mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../../../..");
const built = new Map<string, Promise<string>>();

/** Bundles an entry of this folder into one script, once, so that Node can run it without a build step before the test. */
export function buildEntry(file: string): Promise<string> {
  const known = built.get(file) ?? bundle(file);
  built.set(file, known);
  return known;
}

async function bundle(file: string): Promise<string> {
  const name = basename(file, ".ts");
  // Inside node_modules, so that the script can resolve its packages.
  const outDir = mkdtempSync(join(ROOT, `node_modules/.${name}-`));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: [/^@kit\//], resolve: { conditions: ["source", "node"] } },
    build: { ssr: join(import.meta.dirname, file), outDir, target: "node20", minify: false },
  });
  return join(outDir, `${name}.js`);
}

/** Removes the scripts. Call it at the end of a test file, because the process may end without exit handlers. */
export async function removeEntries(): Promise<void> {
  for (const script of built.values()) rmSync(dirname(await script), { recursive: true, force: true });
  built.clear();
}
