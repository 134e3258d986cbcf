import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { buildReference } from "./documents/reference.ts";

const API = new URL("../../docs/api/", import.meta.url);

/** Writes the pages of the API reference into docs/api/reference, which git ignores, for `npm run docs`. */
async function writeReference(product: string): Promise<void> {
  const folder = new URL(`reference/${product}/`, API);
  const openapi: unknown = JSON.parse(await readFile(new URL(`${product}.openapi.json`, API), "utf8"));
  const pages = buildReference(openapi, product);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { name, text } of pages) await writeFile(new URL(`${name}.md`, folder), text);
}

for (const product of ["player", "soc"]) await writeReference(product);
