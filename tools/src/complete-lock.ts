import { readFileSync, writeFileSync } from "node:fs";
import Type, { type Static } from "typebox";
import Value from "typebox/value";

const Entry = Type.Object({
  version: Type.Optional(Type.String()),
  cpu: Type.Optional(Type.Array(Type.String())),
  libc: Type.Optional(Type.Array(Type.String())),
  os: Type.Optional(Type.Array(Type.String())),
  optional: Type.Optional(Type.Boolean()),
  dev: Type.Optional(Type.Boolean()),
  optionalDependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
});
const Lock = Type.Object({ packages: Type.Record(Type.String(), Entry) });

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/**
 * A registry mirror with binaries of only this platform omits the others from package-lock.json, and npm ci then
 * refuses the file. Adds them as npm does with the full registry, but without checksums.
 */
function main(): void {
  const path = new URL("../../package-lock.json", import.meta.url);
  const lock = Value.Parse(Lock, JSON.parse(readFileSync(path, "utf8")));
  for (const [parentPath, parent] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`;
      if (lock.packages[place] || lock.packages[`${parentPath}/${place}`] || !isPlatformName(name)) continue;
      lock.packages[place] = buildEntry(name, range, parent.dev);
      console.log(`added ${name}`);
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}

function isPlatformName(name: string): boolean {
  return splitWords(name).some((word) => SYSTEMS.includes(word) || word === "wasm32");
}

function buildEntry(name: string, range: string, isDev: boolean | undefined): Static<typeof Entry> {
  const words = splitWords(name);
  const systems = SYSTEMS.filter((system) => words.includes(system));
  const libc = words.flatMap((word) => (word.startsWith("musl") ? "musl" : word.startsWith("gnu") ? "glibc" : []));
  return {
    version: range.replace(/^[\^~]/, ""),
    cpu: PROCESSORS.filter((processor) => words.includes(processor)),
    ...(isDev && { dev: true }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(systems.length > 0 && { os: systems }),
  };
}

function splitWords(name: string): string[] {
  return name.split(/[/-]/);
}

main();
