import { describe, expect, it } from "vitest";
import { CASE, createSampleKey, createSampleLedger, OTHER_CASE } from "../../../testing/fixtures/sample-ledger.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { nextEntry } from "./chain.ts";
import type { BundleBody, EntryBody } from "./ledger.schema.ts";
import { signCheckpoint } from "./ledger.ts";
import { type Fault, formatVerdict, verifyBundle } from "./verify.ts";

const ZEROS = "0".repeat(64);
const key = createSampleKey();
const exportCase = (signer: LedgerKey) => createSampleLedger(signer, 12).bundle(CASE);

async function faultIn(bundle: unknown, trustedKeyId?: string): Promise<Fault | undefined> {
  const verdict = await verifyBundle(bundle, { sha256, verifyEd25519 }, trustedKeyId);
  return verdict.isGenuine ? undefined : verdict.fault;
}

/** Returns the entry with the given sequence; default: the fifth. */
function nth({ entries }: BundleBody, sequence = 5) {
  const proven = entries[sequence - 1];
  if (!proven) throw new Error(`there is no entry ${sequence}`);
  return proven;
}

describe("bundle verifier", () => {
  it("accepts an unchanged bundle and formats the verdict", async () => {
    const verdict = await verifyBundle(await exportCase(key), { sha256, verifyEd25519 }, key.key_id);
    expect(verdict).toMatchObject({ isGenuine: true, chain: { length: 12, covered: 12, tree_size: 23 } });
    expect(formatVerdict(verdict)).toBe(
      `GENUINE: case ${CASE} has 12 entries, exported at 2026-01-01T00:00:00.000Z; ` +
        `the checkpoint of 2026-01-01T00:00:00.000Z covers 12. Signed by key ${key.key_id}`,
    );
  });

  it.each<[Fault["kind"], string, (bundle: BundleBody) => unknown]>([
    [
      "changed_field",
      "kind, actor, at or body of entry 5 was changed",
      (b) => Object.assign(nth(b).entry, { actor: "x" }),
    ],
    [
      "changed_field",
      "kind, actor, at or body of entry 12 was changed",
      (b) => Object.assign(nth(b, 12).entry, { body: {} }),
    ],
    ["changed_field", "case_id of entry 5 was changed", (b) => Object.assign(nth(b).entry, { case_id: OTHER_CASE })],
    ["changed_field", "sequence of entry 5 was changed", (b) => Object.assign(nth(b).entry, { sequence: 6 })],
    [
      "changed_field",
      "previous_hash of entry 5 was changed",
      (b) => Object.assign(nth(b).entry, { previous_hash: ZEROS }),
    ],
    ["changed_field", "entry_hash of entry 5 was changed", (b) => Object.assign(nth(b).entry, { entry_hash: ZEROS })],
    [
      "changed_field",
      "entry_hash of entry 12 was changed",
      (b) => Object.assign(nth(b, 12).entry, { entry_hash: ZEROS }),
    ],
    [
      "changed_field",
      "public_key is not the key that the chain names in key_id",
      (b) => Object.assign(b, { public_key: ZEROS }),
    ],
    ["missing_entry", "entry 5 is missing", (b) => b.entries.splice(4, 1)],
    ["missing_entry", "entries 1 to 10 are missing", (b) => b.entries.splice(0, 10)],
    [
      "swapped_entries",
      "entry 8 is in the place of entry 5",
      (b) => b.entries.splice(4, 4, nth(b, 8), nth(b, 6), nth(b, 7), nth(b)),
    ],
    ["truncated_end", "the end was cut off: entry 12 is missing", (b) => b.entries.pop()],
    ["truncated_end", "the end was cut off: entries 1 to 12 are missing", (b) => b.entries.splice(0)],
    ["added_entry", "entry 5 occurs twice", (b) => b.entries.splice(5, 0, nth(b))],
    [
      "bad_signature",
      "the statement about the chain was changed: its signature does not match",
      (b) => Object.assign(b.chain, { length: 11 }),
    ],
    [
      "bad_signature",
      "the checkpoint was changed: its signature does not match",
      (b) => Object.assign(b.checkpoint ?? {}, { root_hash: ZEROS }),
    ],
    [
      "wrong_root",
      "the checkpoint is not the one that the bundle was exported with",
      (b) => Object.assign(b, { checkpoint: null }),
    ],
    [
      "wrong_root",
      "the proofs lead to a root that is not the checkpoint's",
      (b) =>
        Object.assign(b, { checkpoint: signCheckpoint(key, { tree_size: 23, root_hash: ZEROS, at: "2026-01-01" }) }),
    ],
    [
      "proof_does_not_fit",
      "the proof of entry 5 does not lead to the checkpoint's root",
      (b) => Object.assign(nth(b), { leaf_index: 9 }),
    ],
    [
      "proof_does_not_fit",
      "the proof of entry 5 does not lead to the checkpoint's root",
      (b) => nth(b).audit_path?.pop(),
    ],
    [
      "proof_does_not_fit",
      "the proof of entry 1 does not lead to the checkpoint's root",
      (b) => Object.assign(nth(b, 1), { leaf_index: 1 }),
    ],
    ["proof_does_not_fit", "entry 12 has no proof", (b) => Object.assign(nth(b, 12), { audit_path: null })],
    ["not_a_bundle", "entry 5 has the unknown field 'note'", (b) => Object.assign(nth(b).entry, { note: "x" })],
    ["not_a_bundle", "entry 5 has a malformed at", (b) => Object.assign(nth(b).entry, { at: "\ud800" })],
    ["not_a_bundle", "entry 5 has a malformed body", (b) => Object.assign(nth(b).entry, { body: ["\ud800"] })],
    ["not_a_bundle", "the bundle has no chain", (b) => Reflect.deleteProperty(b, "chain")],
  ])("reports %s: %s", async (kind, message, tamper) => {
    const bundle = structuredClone(await exportCase(key));
    tamper(bundle);
    expect(await faultIn(bundle)).toEqual({ kind, message });
  });

  it.each([undefined, null, 1, "text", [], {}, { chain: {} }])("rejects %o as a bundle", async (value) => {
    expect((await faultIn(value))?.kind).toBe("not_a_bundle");
  });

  it("reports the key when a whole bundle was forged with another key", async () => {
    const forged = await exportCase(createSampleKey());
    expect(await faultIn(forged)).toBeUndefined();
    expect((await faultIn(forged, key.key_id))?.kind).toBe("other_key");
  });

  it("detects a chain whose entries were all rewritten, including the hashes", async () => {
    const bundle = await exportCase(key);
    let head: EntryBody | undefined;
    const entries = bundle.entries.map((proven) => {
      head = nextEntry(head, { ...proven.entry, actor: "x", body: {} });
      return { ...proven, entry: head };
    });
    expect(await faultIn({ ...bundle, entries })).toEqual({
      kind: "changed_field",
      message: "entry 12 is not the last entry that was signed",
    });
  });
});
