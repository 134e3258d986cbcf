import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../../../..");
const builds = new Map<string, Promise<string>>();

/** Bundles an entry file into one script, so that Node can run it without a build step before the test. */
export function builtScript(source: string): Promise<string> {
  const building = builds.get(source) ?? buildScript(source);
  builds.set(source, building);
  return building;
}

async function buildScript(source: string): Promise<string> {
  // Inside node_modules, so that the script can resolve the engine.
  const folder = join(ROOT, "node_modules/.cache/log-engine");
  await mkdir(folder, { recursive: true });
  const outDir = await mkdtemp(join(folder, "build-"));
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: true, external: ["chdb", "@clickhouse/client"], resolve: { conditions: ["source", "node"] } },
    build: { ssr: join(ROOT, "apps/soc", source), outDir, target: "node20", minify: false },
  });
  // Atomic rename: a child of another test may read the file at this moment.
  const name = basename(source, ".ts");
  const script = join(folder, `${name}.mjs`);
  await rename(join(outDir, `${name}.js`), script);
  await rm(outDir, { recursive: true });
  return script;
}
