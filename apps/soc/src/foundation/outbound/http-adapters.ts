import { readFile, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import { isOpenToOthers } from "../records/key-file.ts";

/** An HTTP service that the operator allows playbooks to call. */
export interface HttpAdapter {
  name: string;
  url: string;
  /** The shared key that signs requests to the adapter. */
  key: Uint8Array;
}

const VARIABLE = "SOC_HTTP_ADAPTERS";
const MAX_ADAPTERS = 100;
const MIN_KEY_BYTES = 32;

const AdapterList = Type.Array(
  Type.Object(
    {
      name: Type.String({ pattern: "^[a-z][a-z0-9-]{0,49}$" }),
      url: Type.String({ pattern: "^https?://[^?#]+$", maxLength: 2000 }),
      key_file: Type.String({ minLength: 1 }),
    },
    { additionalProperties: false },
  ),
  { maxItems: MAX_ADAPTERS },
);

/**
 * Reads the list in the file that the variable names: `[{"name", "url", "key_file"}]`. A relative `key_file` is
 * resolved against the folder of that file.
 */
export async function readHttpAdapters(path: string | undefined): Promise<HttpAdapter[]> {
  if (path === undefined) return [];
  const listed = await readList(path);
  const names = listed.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalidField(VARIABLE, `'${duplicate}' is named twice`);
  return Promise.all(
    listed.map(async ({ name, url, key_file }) => ({
      name,
      url: url.replace(/\/+$/, ""),
      key: await readKey(`${VARIABLE}: key_file of '${name}'`, resolve(dirname(path), key_file)),
    })),
  );
}

async function readList(path: string) {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw invalidField(VARIABLE, "must name a readable JSON file", { cause });
  }
  if (!Value.Check(AdapterList, read)) {
    throw invalidField(VARIABLE, "must hold a list of adapters, each with name, url and key_file");
  }
  return Value.Parse(AdapterList, read);
}

/**
 * Reads a shared key: the trimmed content of the file, at least 32 bytes unless another party chose it. Only the owner
 * of the file may have access to it.
 */
export async function readKey(field: string, path: string, minBytes = MIN_KEY_BYTES): Promise<Buffer> {
  let key: Buffer;
  let isOpen: boolean;
  try {
    isOpen = isOpenToOthers(await stat(path));
    key = Buffer.from((await readFile(path, "utf8")).trim());
  } catch (cause) {
    throw invalidField(field, "must name a readable file", { cause });
  }
  if (isOpen) throw invalidField(field, "must be accessible to its owner only");
  if (key.length < minBytes) throw invalidField(field, `must hold at least ${minBytes} bytes`);
  return key;
}
