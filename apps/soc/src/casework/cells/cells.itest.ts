import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@kit/testing/process";
import { afterEach, expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import { featureApp, testPlatform } from "../../../testing/worlds/feature-app.ts";
import { createOutbound } from "../../foundation/outbound/outbound.feature.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { leaveSite } from "../../identity/users/users.feature.ts";
import { createLedger } from "../ledger/ledger.feature.ts";
import { createSites } from "../sites/sites.feature.ts";
import { formatCellDestination, type KnownCell } from "./cell.ts";
import { findTreeFault, readTree } from "./cell-tree.ts";
import { createCells } from "./cells.feature.ts";
import { requireCell } from "./require-cell.ts";

const MACHINE = { deployment_mode: "cluster", hostname: "soc-1", platform: "linux" } as const;
const CASE = "0197f000-0000-7000-8000-000000000001";
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function startCell(name: string, key: LedgerKey, cells: readonly KnownCell[], port: number) {
  const platform = await testPlatform("real");
  const folder = await mkdtemp(join(tmpdir(), "cell-"));
  const { clock, ids, db } = platform;
  const outbound = createOutbound(platform, {
    start: { id: ids.next(), at: clock.now(), mode: "real" },
    hasDatabase: true,
    httpAdapters: [],
    configured: cells.map((cell) => formatCellDestination(cell.name)),
    mailbox: undefined,
  });
  await platform.runtime.truth();
  const { ledger, completeDemo } = createLedger(platform, { key, checkpointFile: join(folder, "checkpoints.ndjson") });
  const { routes, sites } = createSites(platform, { machine: MACHINE, isInUse: async () => false, leaveSite });
  const made = createCells(platform, { sites, ledger, ...outbound, key, settings: { self: name, cells } });
  const app = await featureApp(platform, async (api) => {
    requireCell(api, made.cells);
    for (const each of [...routes, ...made.routes]) await api.register(each);
  });
  await app.listen({ host: "127.0.0.1", port });
  const close = async () => {
    await app.close();
    await platform.close();
    await rm(folder, { recursive: true, force: true });
  };
  closing.push(close);
  const post = async (path: string, payload: object) => app.inject({ method: "POST", url: `/api/v1${path}`, payload });
  return {
    app,
    db,
    read: async () => (await app.inject("/api/v1/cells")).json(),
    round: async () => made.worker?.round(),
    find: made.cells.findRefusals,
    addSite: (site: string) => post("/sites", { name: site, profile: { asset_classes: [] } }),
    /** Appends an entry to the ledger and signs a checkpoint. */
    async sign() {
      await db.transaction().execute((tx) => ledger.append(tx, CASE, { kind: "k", actor: "a", body: {} }));
      await completeDemo();
    },
  };
}

async function startCells() {
  const keys = { north: createSampleKey(), south: createSampleKey() };
  const ports = { north: await freePort(), south: await freePort() };
  const describeCell = (name: "north" | "south"): KnownCell => ({
    name,
    url: `http://127.0.0.1:${ports[name]}`,
    key_id: keys[name].key_id,
    ring: 1,
    apiKey: "k".repeat(32),
  });
  const cells = [describeCell("north"), describeCell("south")];
  const north = await startCell("north", keys.north, cells, ports.north);
  const south = await startCell("south", keys.south, cells, ports.south);
  return { north, south, keys, ports, cells };
}

it("learns which cell has a site, and refuses requests for it with the cell's address", async () => {
  const { north, south, ports } = await startCells();
  expect((await north.addSite("Cairo")).statusCode).toBe(201);
  expect((await south.addSite("Aswan")).statusCode).toBe(201);
  await north.round();
  expect(await north.read()).toMatchObject({
    cell: "north",
    statement: { cell: "north", sites: [{ name: "Cairo" }], checkpoint: null },
    cells: [
      { name: "north", is_self: true, problem: null, sites: [{ name: "Cairo" }] },
      { name: "south", is_self: false, problem: null, sites: [{ name: "Aswan" }], seen_at: expect.any(String) },
    ],
    tree: null,
  });
  await expect.poll(async () => [...(await north.find(["Aswan", "Cairo", "Luxor"])).keys()]).toEqual(["Aswan"]);
  const refused = await north.addSite("Aswan");
  expect(refused.statusCode).toBe(421);
  expect(refused.json()).toEqual({ detail: `site: 'Aswan' is in cell 'south', at http://127.0.0.1:${ports.south}` });
  expect(refused.headers).toMatchObject({ "problem-field": "site", "problem-code": "other_cell" });
  const { id } = (await south.read()).statement.sites[0];
  expect((await north.app.inject({ method: "DELETE", url: `/api/v1/sites/${id}` })).statusCode).toBe(421);
});

it("keeps what it knows of a cell that does not answer, and says why", async () => {
  const { north, south } = await startCells();
  await south.addSite("Aswan");
  await north.round();
  await south.app.close();
  await north.round();
  expect((await north.read()).cells[1]).toMatchObject({ problem: expect.any(String), sites: [{ name: "Aswan" }] });
  expect([...(await north.find(["Aswan"])).keys()]).toEqual(["Aswan"]);
});

it("has its own sites, whatever others claim, and names those that both claim", async () => {
  const { north, south } = await startCells();
  await north.addSite("Cairo");
  await south.addSite("Cairo");
  await north.round();
  expect((await north.read()).cells[1]).toMatchObject({ problem: "it claims sites of this cell: Cairo" });
  expect((await north.find(["Cairo"])).size).toBe(0);
});

it("signs one tree over the ledgers of both cells, once for each change", async () => {
  const { north, south, keys } = await startCells();
  await north.sign();
  await south.sign();
  await north.round();
  await north.round();
  const tree = readTree(await north.read());
  expect(tree).toMatchObject({
    root: { number: 1, size: 2, key_id: keys.north.key_id },
    leaves: [
      { leaf: { cell: "north", checkpoint: { tree_size: 1, key_id: keys.north.key_id } } },
      { leaf: { cell: "south", checkpoint: { tree_size: 1, key_id: keys.south.key_id } } },
    ],
  });
  expect(tree && (await findTreeFault(tree, keys.north.key_id))).toBeUndefined();
  await south.sign();
  await north.round();
  const next = readTree(await north.read());
  expect(next?.root).toMatchObject({ number: 2, previous_hash: tree?.root.root_hash });
  expect(next?.leaves[1]?.leaf.checkpoint.tree_size).toBe(2);
});

it("does not believe a cell with another key, and keeps its last leaf", async () => {
  const { north, south, keys, ports, cells } = await startCells();
  await north.sign();
  await south.sign();
  await north.round();
  await south.app.close();
  // The same name and address, but the database and the key are new.
  const stranger = await startCell("south", createSampleKey(), cells, ports.south);
  await stranger.addSite("Luxor");
  await north.round();
  const { cells: shown, tree } = await north.read();
  expect(shown[1]).toMatchObject({ problem: "it has another key than SOC_CELLS_FILE says", sites: [] });
  expect(tree.leaves[1].leaf.checkpoint.key_id).toBe(keys.south.key_id);
});

it("does not believe a cell whose ledger was set back", async () => {
  const { north, south, keys, ports, cells } = await startCells();
  await south.sign();
  await south.sign();
  await north.round();
  await south.app.close();
  const restored = await startCell("south", keys.south, cells, ports.south);
  await restored.sign();
  await north.round();
  const problem = "its ledger has 1 entries under a checkpoint, but had 2: it was set back";
  expect((await north.read()).cells[1]).toMatchObject({ problem, tree_size: 2 });
});
