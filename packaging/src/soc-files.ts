import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ARCHITECTURES } from "./architecture.ts";
import { stageModules } from "./modules.ts";
import { fetchPackage } from "./npm-package.ts";
import { SERVICES } from "./services.ts";

/** Below / of a package and of the image. */
export const SOC_HOME = "usr/lib/manara-soc";
/** chDB exists for this processor only. */
const NATIVE = ["@chdb/lib-linux-x64-gnu", "@node-rs/argon2-linux-x64-gnu"];
const FONT = ["", "-Bold", "-Oblique", "-BoldOblique"].map((style) => `ttf/DejaVuSans${style}.ttf`);
const USED: Readonly<Record<string, readonly string[]>> = {
  chdb: ["package.json", "LICENSE", "index.js", "index.mjs", "dist"],
  "dejavu-fonts-ttf": ["package.json", "LICENSE", ...FONT],
  pdfmake: ["package.json", "LICENSE", "js", "fonts"],
};
/** Folders of the product, as its entry files find them from their own place. */
const FOLDERS: Readonly<Record<string, string>> = {
  "apps/soc/bundle": "soc/bundle",
  "apps/soc/src/migrations": "soc/src/migrations",
  "apps/soc/playbooks": "soc/playbooks",
  "apps/soc/broker": "soc/broker",
  "apps/soc-console/dist": "soc-console/dist",
};

/** Copies the service, its console, its native packages and its Node into the root folder. */
export async function stageSoc(root: string, stage: string, version: string): Promise<void> {
  const home = join(stage, SOC_HOME);
  const manifest = { name: "manara-soc", version, type: "module" };
  await write(join(home, "soc/package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [from, to] of Object.entries(FOLDERS)) await cp(join(root, from), join(home, to), { recursive: true });
  const names = [...SERVICES.soc.packages, ...NATIVE];
  await stageModules({ root, names, used: USED, modules: join(home, "node_modules") });
  const amd64 = ARCHITECTURES.find(({ name }) => name === "amd64");
  if (!amd64) throw new Error("there is no Node for amd64");
  const nodeFolder = await fetchPackage(join(root, "node_modules/.cache/packaging"), amd64.node);
  await cp(join(nodeFolder, "bin/node"), join(home, "bin/node"));
  await cp(join(nodeFolder, "LICENSE"), join(home, "bin/node.LICENSE"));
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
