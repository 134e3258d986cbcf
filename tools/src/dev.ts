import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runTogether } from "./processes/run-together.ts";

// Node runs TypeScript directly from this version.
const MINIMUM_NODE = 24;
const PAGES: Readonly<Record<string, string>> = { player: "player-dashboard", soc: "soc-console" };
// The page's development server speaks HTTP to the service.
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  player: { PLAYER_TLS: "off", PLAYER_PORT: "8443", PLAYER_DRIVERS: "simulated" },
  soc: { SOC_PORT: "8080" },
};

/** Runs the named products from their sources: a change restarts the service and reloads the page. */
function main(names: readonly string[]): void {
  const unknown = names.find((name) => !PAGES[name]);
  if (unknown !== undefined) throw new Error(`'${unknown}' is no product: name player or soc, or none for both`);
  if (Number.parseInt(process.versions.node, 10) < MINIMUM_NODE) {
    throw new Error(`npm run dev needs Node ${MINIMUM_NODE}; this is ${process.version}`);
  }
  const products = names.length > 0 ? names : Object.keys(PAGES);
  runTogether(products.flatMap((name) => [startService(name), startPage(name)]));
}

function startService(name: string): ChildProcess {
  const folder = resolve(`../../apps/${name}`);
  const watched = ["--watch", "--watch-preserve-output", "--inspect=0", "--conditions=source"];
  return spawn(process.execPath, [...watched, `${folder}/src/main.ts`], {
    stdio: "inherit",
    env: { ...DEFAULTS[name], ...process.env },
  });
}

function startPage(name: string): ChildProcess {
  const vite = resolve("../../node_modules/vite/bin/vite.js");
  return spawn(process.execPath, [vite, "--clearScreen", "false"], {
    cwd: resolve(`../../apps/${PAGES[name]}`),
    stdio: "inherit",
  });
}

function resolve(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

main(process.argv.slice(2));
