import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Libraries of CommonJS require Node's own modules, which an ES module cannot do without this. */
const BANNER =
  'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);';
const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

export interface BundleOptions {
  /** The root of the repository. */
  root: string;
  /** The compiled entry files of the processes. */
  entries: readonly string[];
  /** Packages that are not bundled. */
  external: readonly string[];
  folder: string;
}

/** Bundles the processes and the chunks that they share, with the licences of everything in them. */
export async function bundle({ root, entries, external, folder }: BundleOptions): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...entries],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Names stay: a log must show where an error happened.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
    external: [...external],
    banner: { js: BANNER },
    chunkNames: "[name]-[hash]",
    metafile: true,
    logLevel: "warning",
  });
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  await writeFile(join(folder, "licences.txt"), await collectLicences(root, bundled));
}

async function collectLicences(root: string, inputs: readonly string[]): Promise<string> {
  const folders = new Map(inputs.flatMap((input) => toPackage(input)));
  const texts = [...folders]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(async ([name, folder]) => {
      const file = (await readdir(join(root, folder))).toSorted().find((each) => /^licen[cs]e/i.test(each));
      const text = file === undefined ? "see its package.json" : await readFile(join(root, folder, file), "utf8");
      return `${name}\n${"=".repeat(name.length)}\n\n${text.trim()}\n`;
    });
  return (await Promise.all(texts)).join("\n\n");
}

function toPackage(input: string): [name: string, folder: string][] {
  const [folder = "", name] = PACKAGE.exec(input) ?? [];
  return name === undefined ? [] : [[name, folder]];
}
