import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { SERVICES } from "./services.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A part of `npm run build`: bundles each process that ships. A process starts in half the time that its modules take. */
async function main(): Promise<void> {
  for (const [name, { entries, names, packages, neverLoaded }] of Object.entries(SERVICES)) {
    const app = join(ROOT, "apps", name);
    // As deep as dist/: an entry file finds its folders from its own place.
    const folder = join(app, "bundle");
    await rm(folder, { recursive: true, force: true });
    const files = entries.map((entry) => join(app, `dist/${entry}.js`));
    await bundle({ root: ROOT, entries: files, external: [...packages, ...neverLoaded], folder });
    for (const [entry, args] of Object.entries(names)) {
      const added = args.map((arg) => JSON.stringify(arg)).join(", ");
      const text = `#!/usr/bin/env node\nprocess.argv.splice(2, 0, ${added});\nawait import("./main.js");\n`;
      await writeFile(join(folder, `${entry}.js`), text);
    }
  }
}

await main();
