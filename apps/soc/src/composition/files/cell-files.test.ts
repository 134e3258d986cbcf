import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCells } from "../config/config-cells.ts";
import { readCellList, readCellSettings, requireCellsFile } from "./cell-files.ts";

const KEY_ID = "ab".repeat(32);
const NORTH = { name: "north", url: "https://north.example/", key_id: KEY_ID, api_key_file: "key" };
const SOUTH = { ...NORTH, name: "south", url: "http://10.0.0.2:8080", ring: 2 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cell-files-"));
  await writeFile(join(folder, "key"), `${"k".repeat(32)}\n`, { mode: 0o600 });
  await writeFile(join(folder, "open"), "k".repeat(32), { mode: 0o644 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(list: unknown): Promise<string> {
  const path = join(folder, "cells.json");
  await writeFile(path, typeof list === "string" ? list : JSON.stringify(list));
  return path;
}

it("is no cell without the variables, and needs both of them", () => {
  expect(readCells({})).toBeUndefined();
  expect(readCells({ SOC_CELL: "north", SOC_CELLS_FILE: "f" })).toEqual({ self: "north", file: "f" });
  expect(() => readCells({ SOC_CELL: "north" })).toThrow("SOC_CELLS_FILE: required when SOC_CELL is set");
  expect(() => readCells({ SOC_CELLS_FILE: "f" })).toThrow("SOC_CELL: required when SOC_CELLS_FILE is set");
  expect(() => requireCellsFile({})).toThrow("SOC_CELLS_FILE: is required");
});

it("reads the cells with their keys, and needs no key for itself", async () => {
  const { api_key_file: _, ...own } = NORTH;
  const settings = await readCellSettings({ self: "north", file: await write([own, SOUTH]) });
  const given = { key_id: KEY_ID };
  expect(settings).toEqual({
    self: "north",
    cells: [
      { ...given, name: "north", url: "https://north.example", ring: 1 },
      { ...given, name: "south", url: "http://10.0.0.2:8080", ring: 2, apiKey: "k".repeat(32) },
    ],
  });
  await expect(readCellList(await write([own]))).rejects.toThrow(
    "SOC_CELLS_FILE: api_key_file of 'north': is required",
  );
});

it.each([
  ["no JSON", "{", "SOC_CELLS_FILE: must name a readable JSON file"],
  ["an empty list", [], "SOC_CELLS_FILE: must hold a list of cells"],
  ["an unknown field", [{ ...NORTH, key: "x" }], "SOC_CELLS_FILE: must hold a list of cells"],
  ["a name twice", [NORTH, NORTH], "SOC_CELLS_FILE: 'north' is named twice"],
  ["a public address without encryption", [{ ...NORTH, url: "http://8.8.8.8" }], "SOC_CELLS_FILE: url of 'north'"],
  ["a key that others can read", [NORTH, { ...SOUTH, api_key_file: "open" }], "accessible to its owner only"],
  ["a list without this cell", [SOUTH], "SOC_CELL: 'north' is none of the cells of SOC_CELLS_FILE"],
])("refuses %s by the name of the variable", async (_what, list, message) => {
  await expect(readCellSettings({ self: "north", file: await write(list) })).rejects.toThrow(message);
});
