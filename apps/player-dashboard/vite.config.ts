import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { precompress } from "@kit/http/precompress";
import { build, defaultClientConditions, defineConfig, type Plugin } from "vite";

const JSX = { jsx: { runtime: "automatic", importSource: "preact" } } as const;
const TARGET = "es2022";

/** Builds the service worker by itself, after the page: it must know the names of all that the page consists of. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const version = createHash("sha256");
      const files: string[] = [];
      for (const output of Object.values(bundle).sort((a, b) => (a.fileName < b.fileName ? -1 : 1))) {
        version.update(output.fileName).update(output.type === "chunk" ? output.code : output.source);
        files.push(output.fileName === "index.html" ? "/" : `/${output.fileName}`);
      }
      const shell = { version: version.digest("hex").slice(0, 12), files };
      const source = await bundleWorker(join(import.meta.dirname, "src/app/install/service-worker.ts"), shell);
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

async function bundleWorker(input: string, shell: object): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: { SHELL: JSON.stringify(shell) },
    build: {
      target: TARGET,
      write: false,
      modulePreload: false,
      rolldownOptions: { input, output: { format: "iife" } },
    },
  });
  const [worker] = [built].flat().flatMap((each) => ("output" in each ? each.output : []));
  if (worker?.type !== "chunk") throw new Error("the service worker was not built");
  return worker.code;
}

const PACKAGE_VERSION = /"version": "([^"]+)"/;
const [, version] =
  PACKAGE_VERSION.exec(await readFile(join(import.meta.dirname, "../player/package.json"), "utf8")) ?? [];
if (version === undefined) throw new Error("the service's package.json has no version");

const PORT = process.env.PLAYER_PORT ?? 8443;
// `npm run dev`: the page and what it imports are served from their sources, the API by the service.
const DEVELOPMENT = {
  resolve: { conditions: ["source", ...defaultClientConditions] },
  server: {
    port: 5174,
    proxy: { "^/(api|ca.crt)": `http://localhost:${PORT}`, "/ws": { target: `ws://localhost:${PORT}`, ws: true } },
  },
};

export default defineConfig(({ command }) => ({
  ...(command === "serve" && DEVELOPMENT),
  oxc: JSX,
  // The device names its version in `hello`: a page of another one reloads.
  define: { BUILD_VERSION: JSON.stringify(version) },
  plugins: [serviceWorker(), precompress()],
  build: {
    target: TARGET,
    // The page is served under `default-src 'self'`: an asset inlined as a data: address would be refused.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}));
