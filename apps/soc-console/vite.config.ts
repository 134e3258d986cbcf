import { precompress } from "@kit/http/precompress";
import { defaultClientConditions, defineConfig } from "vite";
import { limitBytes } from "./vite-budgets.ts";

// `npm run dev`: the page and what it imports are served from their sources, the API by the service.
const DEVELOPMENT = {
  resolve: { conditions: ["source", ...defaultClientConditions] },
  server: { port: 5173, proxy: { "^/(api|health|ready)": `http://localhost:${process.env.SOC_PORT ?? 8080}` } },
};

export default defineConfig(({ command }) => ({
  ...(command === "serve" && DEVELOPMENT),
  oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  plugins: [
    precompress(),
    limitBytes({
      firstScript: 230_000,
      firstStyle: 25_000,
      page: 40_000,
      largePages: { hunt: 160_000, "query-editor": 160_000, "yaml-editor": 160_000, markdown: 60_000 },
    }),
  ],
  build: {
    target: "es2022",
    // The page is served under `default-src 'self'`: an asset inlined as a data: address would be refused.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What several pages share comes with the first one, in one file.
      output: { codeSplitting: { groups: [{ name: "shared", test: /src\/(design|app)\//, minShareCount: 3 }] } },
      // "use client" in libraries is for servers that render; this page has none.
      onLog: (level, log, handle) => log.code !== "MODULE_LEVEL_DIRECTIVE" && handle(level, log),
    },
  },
}));
