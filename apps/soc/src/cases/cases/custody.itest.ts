import { afterAll, beforeAll, expect, it } from "vitest";
import { type SendRequest, startTwoSites, type TwoSites } from "../../../testing/harness/limited-callers.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { verifyBundle } from "../ledger/verify.ts";

let world: TwoSites;
let analyst: SendRequest;
let case_id: string;

beforeAll(async () => {
  world = await startTwoSites();
  analyst = await world.addLimited("tier2", undefined);
  case_id = String((await analyst("POST", "/cases", { title: "Custody" })).json().id);
}, 120_000);
afterAll(() => world.close());

const COLLECTED = {
  action: "collected",
  by: "ann",
  timestamp: "2026-11-01T08:00:00+03:00",
  actor: "field team 2",
  seals: [{ number: 7, intact: true }],
};
const RECORDED = { recorded_by: expect.stringMatching(/^tier2-/), recorded_at: expect.any(String) };

async function register(custody_entries: object[]) {
  return analyst("POST", `/cases/${case_id}/evidence`, { name: "disk", evidence_type: "disk", custody_entries });
}

interface ListedCase {
  custody_entries: Record<string, unknown>[];
}

it("keeps custody entries as sent, with the recording caller and time", async () => {
  const before = Date.now();
  const made = await register([COLLECTED, { action: "sealed" }]);
  expect(made.status).toBe(201);
  const { id } = made.json();
  const later = { action: "handed over", to: { name: "noor", badge: 12 } };
  const moved = await analyst("POST", `/cases/${case_id}/evidence/${String(id)}/custody`, later);
  const [first, second, third] = (moved.json() as unknown as ListedCase).custody_entries;
  expect(first).toEqual({ ...COLLECTED, location: null, notes: null, ...RECORDED });
  const own = { location: null, notes: null, actor: second?.recorded_by, timestamp: second?.recorded_at };
  expect(second).toEqual({ action: "sealed", ...own, ...RECORDED });
  expect(third).toMatchObject({ ...later, ...RECORDED });
  expect(Date.parse(String(first?.recorded_at))).toBeGreaterThanOrEqual(before);
  const read = (await analyst("GET", `/cases/${case_id}/evidence`)).json() as unknown as { items: ListedCase[] };
  expect(read.items[0]?.custody_entries).toEqual([first, second, third]);
});

it("covers every field in the ledger and its verification", async () => {
  const opened = String((await analyst("POST", "/cases", { title: "Proof" })).json().id);
  const evidence = { name: "disk", evidence_type: "disk", custody_entries: [COLLECTED] };
  const { id } = (await analyst("POST", `/cases/${opened}/evidence`, evidence)).json();
  await analyst("POST", `/cases/${opened}/evidence/${String(id)}/custody`, { action: "moved", vehicle: "A 123" });
  const bundle = await world.asAdmin("GET", `/ledger/bundle?case_id=${opened}`);
  expect(await verifyBundle(bundle, { sha256, verifyEd25519 })).toMatchObject({
    isGenuine: true,
    chain: { length: 2 },
  });
  const bodies = bundle.entries.map(({ entry }: { entry: { body: object } }) => entry.body);
  expect(bodies[0]).toMatchObject({ custody_entries: [COLLECTED] });
  expect(bodies[1]).toMatchObject({ evidence_id: id, action: "moved", vehicle: "A 123" });
});

const deep = (levels: number): object => (levels === 0 ? {} : { in: deep(levels - 1) });

it.each([
  ["recorded_by", { action: "x", recorded_by: "admin" }],
  ["recorded_at", { action: "x", recorded_at: "2026-01-01T00:00:00Z" }],
  ["nested", { action: "x", more: deep(6) }],
  ["characters", { action: "x", more: "x".repeat(20_001) }],
  ["custody_entries", { action: "x", ...Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${n}`, n])) }],
  ["action", { by: "ann" }],
])("refuses an entry for %s", async (words, entry) => {
  const refused = await register([entry]);
  expect([refused.status, refused.json().detail]).toEqual([400, expect.stringContaining(words)]);
});
