import { expect, it } from "vitest";
import { CASE, createSampleKey, createSampleLedger } from "../../../testing/fixtures/sample-ledger.ts";
import { createTestFrame } from "../../../testing/harness/test-frame.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { ledgerRoutes } from "./ledger.routes.ts";
import { verifyBundle } from "./verify.ts";

const key = createSampleKey();
const app = createTestFrame();
await app.register(ledgerRoutes(createSampleLedger(key, 4)));

const get = async (url: string) => (await app.inject(url)).json();

it("returns a bundle that is still genuine after JSON serialisation", async () => {
  const bundle = await get(`/ledger/bundle?case_id=${CASE}`);
  expect(await verifyBundle(bundle, { sha256, verifyEd25519 }, key.key_id)).toMatchObject({
    isGenuine: true,
    chain: { case_id: CASE, length: 4, covered: 4, tree_size: 7 },
  });
});

it("proves one entry, lists the checkpoints and proves the consistency of two checkpoints", async () => {
  expect(await get(`/ledger/proof?case_id=${CASE}&sequence=2`)).toMatchObject({
    entry: { case_id: CASE, sequence: 2, kind: "evidence.created", actor: "analyst-1", body: { name: "disk 1 €" } },
    leaf_index: 2,
    // The audit path of leaf 2 of 7: leaf 3, the first pair, and the right three.
    audit_path: [expect.any(String), expect.any(String), expect.any(String)],
    checkpoint: { tree_size: 7, key_id: key.key_id },
    public_key: key.public_key,
  });
  expect(await get("/ledger/checkpoints")).toMatchObject({ items: [{ tree_size: 7 }], total: 1, next_cursor: null });
  expect(await get("/ledger/consistency?from=7&to=7")).toMatchObject({ from: { tree_size: 7 }, proof: [] });
});

it("returns the status of the ledger", async () => {
  const at = "2026-01-01T00:00:00.000Z";
  expect(await get("/ledger/status")).toEqual({
    alarm: null,
    checked_at: at,
    tree_size: 7,
    waiting: 0,
    last_checkpoint_at: at,
    fully_checked_at: at,
    faults: [],
  });
});

it.each([
  ["/ledger/proof?sequence=1", 400, /^case_id: is required/],
  ["/ledger/proof?case_id=nope&sequence=1", 400, /^case_id: /],
  [`/ledger/proof?case_id=${CASE}&sequence=0`, 400, /^sequence: /],
  [`/ledger/proof?case_id=${CASE}&sequence=5`, 404, /^ledger entry '.*\/5' does not exist$/],
  ["/ledger/bundle?case_id=0197f000-0000-7000-8000-00000000000f", 404, /^ledger of case '.*' does not exist$/],
  ["/ledger/consistency?from=7&to=6", 400, /^from: /],
  ["/ledger/consistency?from=3&to=7", 404, /^checkpoint '3' does not exist$/],
  ["/ledger/checkpoints?limit=201", 400, /^limit: /],
])("refuses %s with %i and a reason", async (url, status, why) => {
  const refused = await app.inject(url);
  expect(refused.statusCode).toBe(status);
  expect(refused.json().detail).toMatch(why);
});
