import { createHash } from "node:crypto";
import type { BundleBody } from "@soc/service/contract/cases/ledger/ledger";
import { CASE, createSampleKey, createSampleLedger, OTHER_CASE } from "@soc/service/testing/fixtures/sample-ledger";
import { beforeAll, describe, expect, it } from "vitest";
import { proveEvidence } from "./evidence-proof.ts";
import { countSteps, type ProofFault, verifyBundle, verifyConsistency, verifyProof } from "./verify-bundle.ts";

// The service's ledger creates and signs the test data; the verifier shares no code with it.
const ZEROS = "0".repeat(64);
const key = createSampleKey();
const ledger = createSampleLedger(key, 12);
let bundle: BundleBody;
beforeAll(async () => {
  bundle = await ledger.bundle(CASE);
});

/** The entry with the given sequence number. */
function nth({ entries }: BundleBody, sequence: number) {
  const proven = entries[sequence - 1];
  if (!proven) throw new Error(`there is no entry ${sequence}`);
  return proven;
}

async function findFault(tamper: (copy: BundleBody) => unknown): Promise<ProofFault | undefined> {
  const copy = structuredClone(bundle);
  tamper(copy);
  const verdict = await verifyBundle(copy);
  return verdict.isGenuine ? undefined : verdict.fault;
}

describe("a bundle of the ledger", () => {
  it("accepts a bundle as the service sent it, with and without a checkpoint", async () => {
    expect(await verifyBundle(bundle)).toEqual({ isGenuine: true });
    expect(bundle.entries).toHaveLength(12);
    const [first, second] = [await createSampleLedger(key, 1).bundle(CASE), await ledger.bundle(OTHER_CASE)];
    expect(await verifyBundle(first)).toEqual({ isGenuine: true });
    expect(await verifyBundle(second)).toEqual({ isGenuine: true });
  });

  it("computes the hashes that follow from RFC 8785 by hand", () => {
    const { entry } = nth(bundle, 1);
    const text =
      `{"actor":"analyst-0","at":"2026-01-01T00:00:00.000Z","body":{"name":"disk 0 €","sha256":"${"ab".repeat(32)}",` +
      `"size_bytes":0,"tags":["disk",null]},"case_id":"${CASE}","kind":"evidence.created","previous_hash":"${ZEROS}",` +
      `"sequence":1}`;
    expect(createHash("sha256").update(text).digest("hex")).toBe(entry.entry_hash);
  });

  it.each<[string, ProofFault, (copy: BundleBody) => unknown]>([
    ["another actor", { kind: "entry", sequence: 5 }, (b) => Object.assign(nth(b, 5).entry, { actor: "x" })],
    ["another body", { kind: "entry", sequence: 12 }, (b) => Object.assign(nth(b, 12).entry, { body: {} })],
    ["another hash", { kind: "entry", sequence: 5 }, (b) => Object.assign(nth(b, 5).entry, { entry_hash: ZEROS })],
    ["an entry less in the middle", { kind: "order", sequence: 5 }, (b) => b.entries.splice(4, 1)],
    ["an entry twice", { kind: "order", sequence: 6 }, (b) => b.entries.splice(5, 0, nth(b, 5))],
    ["an entry of another case", { kind: "order", sequence: 1 }, (b) => b.entries.unshift(...b.entries.splice(3, 1))],
    ["an entry less at the end", { kind: "end" }, (b) => b.entries.pop()],
    ["a shorter chain", { kind: "signature" }, (b) => Object.assign(b.chain, { length: 11 })],
    ["another root", { kind: "signature" }, (b) => Object.assign(b.checkpoint ?? {}, { root_hash: ZEROS })],
    ["another key", { kind: "key" }, (b) => Object.assign(b, { public_key: ZEROS })],
    ["no checkpoint", { kind: "root" }, (b) => Object.assign(b, { checkpoint: null })],
    ["another place in the tree", { kind: "path", sequence: 5 }, (b) => Object.assign(nth(b, 5), { leaf_index: 9 })],
    ["a shorter path", { kind: "path", sequence: 5 }, (b) => nth(b, 5).audit_path?.pop()],
    ["a changed path", { kind: "path", sequence: 5 }, (b) => nth(b, 5).audit_path?.splice(0, 1, ZEROS)],
    ["no path", { kind: "path", sequence: 12 }, (b) => Object.assign(nth(b, 12), { audit_path: null })],
    ["an unknown field", { kind: "malformed" }, (b) => Object.assign(nth(b, 5).entry, { note: "x" })],
    ["a field less", { kind: "malformed" }, (b) => Reflect.deleteProperty(b, "chain")],
    ["a text that is none", { kind: "malformed" }, (b) => Object.assign(nth(b, 5).entry, { at: "\ud800" })],
  ])("rejects a bundle with %s", async (_name, fault, tamper) => {
    expect(await findFault(tamper)).toEqual({ sequence: undefined, ...fault });
  });

  it("rejects a bundle signed by another key than the one it names", async () => {
    const other = await createSampleLedger(createSampleKey(), 12).bundle(CASE);
    const fault = await findFault((b) => Object.assign(b.chain, { signature: other.chain.signature }));
    expect(fault).toEqual({ kind: "signature" });
  });
});

describe("the proof of one entry", () => {
  it("accepts an entry as the service sent it", async () => {
    expect(await verifyProof(await ledger.prove(CASE, 7))).toEqual({ isGenuine: true });
  });

  it("rejects a changed entry, path, checkpoint or key", async () => {
    const proof = await ledger.prove(CASE, 7);
    const changes = [
      { entry: { ...proof.entry, actor: "x" } },
      { audit_path: proof.audit_path.with(1, ZEROS) },
      { checkpoint: { ...proof.checkpoint, tree_size: 22 } },
      { public_key: createSampleKey().public_key },
    ];
    const verdicts = await Promise.all(changes.map((change) => verifyProof({ ...proof, ...change })));
    expect(verdicts.map((verdict) => !verdict.isGenuine && verdict.fault.kind)).toEqual([
      "entry",
      "path",
      "signature",
      "key",
    ]);
  });
});

describe("the consistency of two checkpoints", () => {
  it("proves the consistency of two signed checkpoints, and reports the covered size", async () => {
    const size = bundle.checkpoint?.tree_size ?? 0;
    expect(await verifyConsistency(await ledger.proveConsistency(size, size))).toEqual({ isGenuine: true });
    let steps = 0;
    await verifyBundle(bundle, () => {
      steps += 1;
    });
    expect([steps, countSteps(bundle)]).toEqual([24, 24]);
  });

  it("rejects another root, size, proof, signature or key", async () => {
    const size = bundle.checkpoint?.tree_size ?? 0;
    const proof = await ledger.proveConsistency(size, size);
    const changes = [
      { to: { ...proof.to, root_hash: ZEROS } },
      { from: { ...proof.from, tree_size: size - 1 } },
      { proof: [ZEROS] },
      { from: { ...proof.from, signature: "0".repeat(128) } },
      { public_key: createSampleKey().public_key },
      { public_key: "x" },
    ];
    const verdicts = await Promise.all(changes.map((change) => verifyConsistency({ ...proof, ...change })));
    expect(verdicts.map((verdict) => !verdict.isGenuine && verdict.fault.kind)).toEqual([
      "signature",
      "signature",
      "path",
      "signature",
      "key",
      "malformed",
    ]);
  });
});

describe("evidence", () => {
  it("does not prove evidence that the ledger does not contain", async () => {
    const shown = { id: "0197f000-0000-7000-8000-00000000000e", name: "disk 0 €", sha256: "ab".repeat(32) };
    const proof = await proveEvidence(shown, bundle, (sequence) => ledger.prove(CASE, sequence));
    expect(proof).toEqual({ state: "refused", fault: { kind: "missing" } });
  });
});
