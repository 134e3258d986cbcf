import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { CellSettings, KnownCell } from "../../casework/cells/cell.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { parseOperatorAddress } from "../../foundation/outbound/operator-address.ts";
import type { CellVariables } from "../config/config-cells.ts";

const VARIABLE = "SOC_CELLS_FILE";
const MAX_CELLS = 200;
const MAX_RING = 9;
const MIN_KEY_BYTES = 16;

const CellList = Type.Array(
  Type.Object(
    {
      name: Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,62}$" }),
      url: Type.String({ pattern: "^https?://[^?#]+$", maxLength: 2000 }),
      key_id: Type.String({ pattern: "^[0-9a-f]{64}$" }),
      ring: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_RING })),
      api_key_file: Type.Optional(Type.String({ minLength: 1 })),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: MAX_CELLS },
);

/** The list of the environment, for a command that asks cells. */
export function requireCellsFile(environment: Record<string, string | undefined>): string {
  const file = environment[VARIABLE];
  if (!file) throw invalidField(VARIABLE, "is required");
  return file;
}

export async function readCellSettings({ self, file }: CellVariables): Promise<CellSettings> {
  const cells = await readCellList(file, self);
  if (!cells.some(({ name }) => name === self)) {
    throw invalidField("SOC_CELL", `'${self}' is none of the cells of ${VARIABLE}`);
  }
  return { self, cells };
}

/**
 * Reads the list of all cells: `[{"name", "url", "key_id", "ring", "api_key_file"}]`. All cells may have the same file; this
 * cell needs no key for itself. A relative `api_key_file` is resolved against the folder of the file.
 */
export async function readCellList(file: string, self?: string): Promise<KnownCell[]> {
  const listed = await readList(file);
  const names = listed.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalidField(VARIABLE, `'${duplicate}' is named twice`);
  const cells = listed.map(async ({ name, url, key_id, ring = 1, api_key_file }): Promise<KnownCell> => {
    const known = { name, url: parseOperatorAddress(`${VARIABLE}: url of '${name}'`, url), key_id, ring };
    if (name === self) return known;
    const field = `${VARIABLE}: api_key_file of '${name}'`;
    if (api_key_file === undefined) throw invalidField(field, "is required");
    const apiKey = await readKey(field, resolve(dirname(file), api_key_file), MIN_KEY_BYTES);
    return { ...known, apiKey: apiKey.toString("utf8") };
  });
  return Promise.all(cells);
}

async function readList(path: string) {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw invalidField(VARIABLE, "must name a readable JSON file", { cause });
  }
  if (!Value.Check(CellList, read)) {
    throw invalidField(VARIABLE, "must hold a list of cells, each with name, url, key_id and api_key_file");
  }
  return Value.Parse(CellList, read);
}
