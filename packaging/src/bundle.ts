import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Native addons cannot be bundled: each lies beside the bundle as a package. */
const ADDONS = ["@napi-rs/canvas", "@photostructure/sqlite"];
/** dbus-next asks a display server for the address of the bus when it has none; ours is always given. */
const NEVER_LOADED = ["x11"];
/** Libraries of CommonJS require Node's own modules, which an ES module cannot do without this. */
const BANNER =
  'import { createRequire as __createRequire } from "node:module";const require=__createRequire(import.meta.url);';
const PACKAGE = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//;

export interface BundleOptions {
  /** The root of the repository. */
  root: string;
  /** The compiled entry files of the processes. */
  entries: readonly string[];
  folder: string;
}

/** Bundles the processes and the chunks that they share. Returns the licences of everything in them. */
export async function bundle({ root, entries, folder }: BundleOptions): Promise<string> {
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
    external: [...ADDONS, ...NEVER_LOADED],
    banner: { js: BANNER },
    chunkNames: "[name]-[hash]",
    metafile: true,
    logLevel: "warning",
  });
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return collectLicences(root, bundled);
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
