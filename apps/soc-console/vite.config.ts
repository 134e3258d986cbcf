import { defineConfig } from "vite";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  build: {
    target: "es2022",
    // The page is served under `default-src 'self'`: an asset inlined as a data: address would be refused.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
