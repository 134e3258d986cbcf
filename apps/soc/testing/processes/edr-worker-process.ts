import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "../../../..");

/** Bundles the entry into one script, so that Node can run it without a build step before the test. */
async function buildEntry(outDir: string): Promise<string> {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    resolve: { conditions: ["source", "node"] },
    ssr: { noExternal: [/^@kit\//], resolve: { conditions: ["source", "node"] } },
    build: { ssr: join(ROOT, "apps/soc/testing/processes/edr-worker.ts"), outDir, target: "node20", minify: false },
  });
  return join(outDir, "edr-worker.js");
}

export interface EdrWorkerOptions {
  databaseUrl: string;
  adapterUrl: string;
  keyFile: string;
  endpointId: string;
}

/** Starts a process that requests one isolation; a test can kill it while it waits for the adapter. */
export async function startEdrWorker(options: EdrWorkerOptions): Promise<StartedProcess> {
  // Inside node_modules, so that the script can resolve its packages.
  const folder = mkdtempSync(join(ROOT, "node_modules/.edr-worker-"));
  try {
    return await startProcess({
      command: process.execPath,
      args: [await buildEntry(folder)],
      env: {
        EDR_DATABASE: options.databaseUrl,
        EDR_ADAPTER: options.adapterUrl,
        EDR_KEY_FILE: options.keyFile,
        EDR_ENDPOINT: options.endpointId,
        EDR_MIGRATIONS: join(ROOT, "apps/soc/src/migrations"),
      },
      readyWhen: /EDR worker is ready/,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
