import { expect, it } from "vitest";
import { createSampleKey } from "../../../testing/fixtures/sample-ledger.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { signCheckpoint } from "../ledger/ledger.ts";
import { findClaimedTwice, findStatementFault, locateSites, misdirected, signStatement } from "./cell.ts";
import { findTreeFault, formatTreeVerdict, proveLeaves, readTree, signNextRoot, toLeaves } from "./cell-tree.ts";
import type { StatementBody } from "./cells.schema.ts";

const AT = "2026-11-18T10:00:00.000Z";
const CAIRO = { id: "0197f000-0000-7000-8000-0000000000a1", name: "Cairo" };
const ASWAN = { id: "0197f000-0000-7000-8000-0000000000a2", name: "Aswan" };
const key = createSampleKey();

function state(
  cell: string,
  options: { sites?: StatementBody["sites"]; size?: number; at?: string; key?: LedgerKey } = {},
) {
  const { sites = [CAIRO], size = 4, at = AT } = options;
  const signing = options.key ?? key;
  const root_hash = size.toString(16).padStart(64, "0");
  const checkpoint = size === 0 ? null : signCheckpoint(signing, { tree_size: size, root_hash, at });
  return signStatement(signing, { cell, at, sites, checkpoint });
}

const NORTH = { name: "north", url: "https://north.example", key_id: key.key_id, ring: 1 };
const seen = (statement: StatementBody) => ({ cell: statement.cell, statement, seen_at: new Date(AT), problem: null });

it("believes a statement that the key of the file has signed", () => {
  expect(findStatementFault(state("north"), NORTH, null)).toBeUndefined();
  expect(findStatementFault(state("north", { size: 9 }), NORTH, state("north"))).toBeUndefined();
  expect(findStatementFault(state("north", { size: 0 }), NORTH, null)).toBeUndefined();
});

it.each([
  ["another cell", state("south"), null, "it is cell 'south'"],
  ["another key", state("north", { key: createSampleKey() }), null, "it has another key than SOC_CELLS_FILE says"],
  ["other sites", { ...state("north"), sites: [ASWAN] }, null, "its signature does not match"],
  ["an older statement", state("north", { at: "2026-11-18T09:59:59.000Z" }), state("north"), /^it is of .* older than/],
  [
    "a shorter ledger",
    state("north", { size: 3 }),
    state("north"),
    /3 entries under a checkpoint, but had 4: it was set back$/,
  ],
  [
    "another ledger of the same size",
    signStatement(key, {
      ...state("north"),
      checkpoint: signCheckpoint(key, { tree_size: 4, root_hash: "f".repeat(64), at: AT }),
    }),
    state("north"),
    "its ledger of 4 entries is another one than before",
  ],
])("does not believe %s", (_what, statement, former, why) => {
  expect(findStatementFault(statement, NORTH, former)).toEqual(
    typeof why === "string" ? why : expect.stringMatching(why),
  );
});

it("does not believe a checkpoint that another key has signed", () => {
  const { checkpoint } = state("north", { key: createSampleKey() });
  const statement = signStatement(key, { ...state("north"), checkpoint });
  expect(findStatementFault(statement, NORTH, null)).toBe("the signature of its checkpoint does not match");
});

it("finds the cell of a site by id and by name, and takes its own sites for its own", () => {
  const found = locateSites([ASWAN], [seen(state("north", { sites: [CAIRO, ASWAN] }))], [NORTH]);
  expect([...found]).toEqual([
    [CAIRO.id, { name: "north", url: NORTH.url }],
    ["Cairo", { name: "north", url: NORTH.url }],
  ]);
  expect(findClaimedTwice([ASWAN], seen(state("north", { sites: [CAIRO, ASWAN] })))).toEqual(["Aswan"]);
  // A cell that is in the file no more.
  expect(locateSites([], [seen(state("south"))], [NORTH]).size).toBe(0);
  expect(misdirected("Cairo", NORTH)).toMatchObject({
    kind: "misdirected",
    message: "site: 'Cairo' is in cell 'north', at https://north.example",
    field: "site",
    code: "other_cell",
  });
});

const five = toLeaves(
  ["e", "b", "d", "a", "c"].map((cell, index) => state(cell, { size: index + 1, key: createSampleKey() })),
);

function sign(leaves = five, former?: { number: number; root_hash: string }) {
  const root = signNextRoot(key, leaves, former, new Date(AT));
  if (!root) throw new Error("no root");
  return root;
}

it("proves each cell's checkpoint in one tree, by the order of their names", async () => {
  expect(five.map(({ cell }) => cell)).toEqual(["a", "b", "c", "d", "e"]);
  const root = sign();
  expect(root).toMatchObject({ number: 1, size: 5, previous_hash: "0".repeat(64), key_id: key.key_id });
  const tree = readTree(JSON.parse(JSON.stringify({ tree: proveLeaves(key.public_key, root, five) })));
  if (!tree) throw new Error("not a tree");
  expect(await findTreeFault(tree, key.key_id)).toBeUndefined();
  expect(formatTreeVerdict(tree, undefined)).toMatch(/^GENUINE: root 1 of .* over 5 cells proves a \(4 entries\), b/);
  // One leaf is proven without the others.
  expect(await findTreeFault({ ...tree, leaves: tree.leaves.slice(3, 4) })).toBeUndefined();
});

it("signs no root without a leaf, and none for the same leaves", () => {
  expect(signNextRoot(key, [], undefined, new Date(AT))).toBeUndefined();
  const root = sign();
  expect(signNextRoot(key, five, root, new Date(AT))).toBeUndefined();
  expect(sign(five.slice(1), root)).toMatchObject({ number: 2, size: 4, previous_hash: root.root_hash });
});

it("finds every change of a tree", async () => {
  const root = sign();
  const tree = proveLeaves(key.public_key, root, five);
  const [first, ...others] = tree.leaves;
  if (!first) throw new Error("no leaf");
  const other = state("a", { size: 77, key: createSampleKey() });
  const [forged] = toLeaves([other]);
  if (!forged) throw new Error("no leaf");
  const smaller = { ...first.leaf, checkpoint: { ...first.leaf.checkpoint, tree_size: 1 } };
  const faults = await Promise.all([
    findTreeFault(tree, "0".repeat(64)),
    findTreeFault({ ...tree, root: { ...root, size: 4 } }),
    findTreeFault({ ...tree, public_key: createSampleKey().public_key }),
    findTreeFault({ ...tree, leaves: [] }),
    findTreeFault({ ...tree, leaves: [{ ...first, leaf: forged }, ...others] }),
    findTreeFault({ ...tree, leaves: [{ ...first, leaf: smaller }] }),
    findTreeFault({ ...tree, leaves: [{ ...first, leaf: { ...first.leaf, cell: "z" } }] }),
    findTreeFault({ ...tree, leaves: [{ ...first, audit_path: first.audit_path.slice(1) }] }),
  ]);
  expect(faults).toEqual([
    expect.stringMatching(/not by the trusted one$/),
    "the root was changed: its signature does not match",
    "public_key is not the key that the root names in key_id",
    "it holds no leaf",
    "cell 'a': the proof does not lead to the root",
    "cell 'a': the checkpoint was changed: its signature does not match",
    "cell 'z': the proof does not lead to the root",
    "cell 'a': the proof does not lead to the root",
  ]);
});
