import { readFile } from "node:fs/promises";
import Type from "typebox";
import Value from "typebox/value";

const Manifest = Type.Object({ version: Type.String() });

/** The version that a product's package.json states. */
export async function readVersion(manifest: URL): Promise<string> {
  return Value.Parse(Manifest, JSON.parse(await readFile(manifest, "utf8"))).version;
}
