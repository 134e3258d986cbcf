import { fromHex, toHex } from "@kit/query/bytes";
import { climbToRoot } from "@kit/query/merkle-proof";
import { misfitIn } from "./bundle-shape.ts";
import type { BundleBody, ChainBody, EntryBody, ProvenEntryBody } from "./ledger.schema.ts";
import { FIRST_PREVIOUS_HASH, formatChain, formatCheckpoint, formatHashedEntry } from "./ledger.ts";

/** The cryptographic functions of the platform: node:crypto or the WebCrypto API of a browser. */
export interface Primitives {
  sha256: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean | Promise<boolean>;
}

export interface Fault {
  kind:
    | "not_a_bundle"
    | "other_key"
    | "bad_signature"
    | "changed_field"
    | "missing_entry"
    | "swapped_entries"
    | "added_entry"
    | "truncated_end"
    | "wrong_root"
    | "proof_does_not_fit"
    | "other_history";
  message: string;
}

export type Verdict =
  | ({ isGenuine: true } & Pick<BundleBody, "chain" | "checkpoint" | "public_key">)
  | { isGenuine: false; fault: Fault };

type VerifyResult = Fault | undefined;

/** Finds the first fault in a bundle. Without a trusted key id it proves only that the bundle is consistent. */
export async function verifyBundle(bundle: unknown, primitives: Primitives, trustedKeyId?: string): Promise<Verdict> {
  const misfit = misfitIn(bundle);
  if (!fits(bundle, misfit)) return { isGenuine: false, fault: { kind: "not_a_bundle", message: misfit ?? "" } };
  const fault =
    (await findKeyFault(bundle, primitives, trustedKeyId)) ??
    (await findSignatureFault(bundle, primitives)) ??
    (await findChainFault(bundle, primitives)) ??
    (await findProofFault(bundle, primitives));
  if (fault) return { isGenuine: false, fault };
  const { chain, checkpoint, public_key } = bundle;
  return { isGenuine: true, chain, checkpoint, public_key };
}

/**
 * Returns the bundle in a file: the file itself, or the bundle in investigations report; undefined if there is none.
 */
export function findBundle(file: unknown): unknown {
  if (typeof file !== "object" || file === null) return undefined;
  if ("chain" in file && "entries" in file) return file;
  return "ledger_bundle" in file ? (file.ledger_bundle ?? undefined) : undefined;
}

function fits(_bundle: unknown, misfit: string | undefined): _bundle is BundleBody {
  return misfit === undefined;
}

/** Formats the verdict as text for people. */
export function formatVerdict(verdict: Verdict): string {
  if (!verdict.isGenuine) return `NOT GENUINE: ${verdict.fault.message}`;
  const { case_id, length, covered, at, key_id } = verdict.chain;
  const until = verdict.checkpoint
    ? `the checkpoint of ${verdict.checkpoint.at} covers ${covered}`
    : "no checkpoint yet";
  return `GENUINE: case ${case_id} has ${length} entries, exported at ${at}; ${until}. Signed by key ${key_id}`;
}

async function findKeyFault(
  { public_key, chain, checkpoint }: BundleBody,
  primitives: Primitives,
  trusted?: string,
): Promise<VerifyResult> {
  const key_id = toHex(await primitives.sha256(fromHex(public_key)));
  if (trusted !== undefined && chain.key_id !== trusted) {
    return { kind: "other_key", message: `the bundle is signed by key ${chain.key_id}, not by the trusted one` };
  }
  if (chain.key_id !== key_id) {
    return { kind: "changed_field", message: "public_key is not the key that the chain names in key_id" };
  }
  return checkpoint && checkpoint.key_id !== key_id
    ? { kind: "changed_field", message: "public_key is not the key that the checkpoint names in key_id" }
    : undefined;
}

async function findSignatureFault(
  { public_key, chain, checkpoint }: BundleBody,
  primitives: Primitives,
): Promise<VerifyResult> {
  const isSigned = (text: string, signature: string) =>
    primitives.verifyEd25519(fromHex(public_key), toBytes(text), fromHex(signature));
  if (!(await isSigned(formatChain(chain), chain.signature))) {
    return {
      kind: "bad_signature",
      message: "the statement about the chain was changed: its signature does not match",
    };
  }
  if (checkpoint && !(await isSigned(formatCheckpoint(checkpoint), checkpoint.signature))) {
    return { kind: "bad_signature", message: "the checkpoint was changed: its signature does not match" };
  }
  return undefined;
}

async function findChainFault({ chain, entries }: BundleBody, primitives: Primitives): Promise<VerifyResult> {
  const hashOf = async (entry: EntryBody) => toHex(await primitives.sha256(toBytes(formatHashedEntry(entry))));
  let previous_hash = FIRST_PREVIOUS_HASH;
  for (const [index, { entry }] of entries.entries()) {
    const expected = { case_id: chain.case_id, sequence: index + 1, previous_hash };
    const next_hash = entries[index + 1]?.entry.previous_hash ?? chain.head_hash;
    const fault = (await findChange(entry, expected, next_hash, hashOf)) ?? findMisplacement(entry, expected, entries);
    if (fault) return fault;
    previous_hash = entry.entry_hash;
  }
  return findEndFault(chain, entries.length, previous_hash);
}

type Expected = Pick<EntryBody, "case_id" | "sequence" | "previous_hash">;
const LINKED = ["case_id", "sequence", "previous_hash"] as const;

async function findChange(
  entry: EntryBody,
  expected: Expected,
  nextHash: string,
  hashOf: (entry: EntryBody) => Promise<string>,
): Promise<VerifyResult> {
  const hash = await hashOf(entry);
  if (hash === entry.entry_hash) return undefined;
  const changed = (fields: string): Fault => ({
    kind: "changed_field",
    message: `${fields} of entry ${expected.sequence} was changed`,
  });
  for (const field of LINKED) {
    if ((await hashOf({ ...entry, [field]: expected[field] })) === entry.entry_hash) return changed(field);
  }
  return changed(hash === nextHash ? "entry_hash" : "kind, actor, at or body");
}

/** Describes an intact entry at the wrong position. */
function findMisplacement(entry: EntryBody, expected: Expected, all: readonly ProvenEntryBody[]): VerifyResult {
  const place = expected.sequence;
  if (entry.case_id !== expected.case_id) {
    return { kind: "added_entry", message: `entry ${place} belongs to another case, ${entry.case_id}` };
  }
  if (entry.sequence < place) return { kind: "added_entry", message: `entry ${entry.sequence} occurs twice` };
  if (entry.sequence > place) {
    return all.some((other) => other.entry.sequence === place)
      ? { kind: "swapped_entries", message: `entry ${entry.sequence} is in the place of entry ${place}` }
      : { kind: "missing_entry", message: `${entriesFrom(place, entry.sequence - 1)} missing` };
  }
  return entry.previous_hash === expected.previous_hash
    ? undefined
    : { kind: "changed_field", message: `entry ${place} was replaced: it does not follow the entry before it` };
}

function findEndFault(chain: ChainBody, length: number, lastHash: string): VerifyResult {
  if (length < chain.length) {
    return { kind: "truncated_end", message: `the end was cut off: ${entriesFrom(length + 1, chain.length)} missing` };
  }
  if (length > chain.length) {
    return { kind: "added_entry", message: `${entriesFrom(chain.length + 1, length)} not of this export` };
  }
  return lastHash === chain.head_hash
    ? undefined
    : { kind: "changed_field", message: `entry ${length} is not the last entry that was signed` };
}

function entriesFrom(first: number, last: number): string {
  return first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;
}

async function findProofFault(
  { checkpoint, chain, entries }: BundleBody,
  primitives: Primitives,
): Promise<VerifyResult> {
  if ((checkpoint?.tree_size ?? 0) !== chain.tree_size) {
    return { kind: "wrong_root", message: "the checkpoint is not the one that the bundle was exported with" };
  }
  const fault = findMissingProof(entries, chain.covered);
  if (fault || !checkpoint) return fault;
  const covered = entries.slice(0, chain.covered);
  for (const [index, proven] of covered.entries()) {
    const root = await computeRoot(proven, chain.tree_size, primitives);
    if (root === checkpoint.root_hash) continue;
    const next = covered[index + 1];
    // If two proofs agree on another root, the checkpoint is wrong; if only one differs, that proof is wrong.
    return root !== undefined && next && root === (await computeRoot(next, chain.tree_size, primitives))
      ? { kind: "wrong_root", message: "the proofs lead to a root that is not the checkpoint's" }
      : {
          kind: "proof_does_not_fit",
          message: `the proof of entry ${index + 1} does not lead to the checkpoint's root`,
        };
  }
  return undefined;
}

function findMissingProof(entries: readonly ProvenEntryBody[], covered: number): VerifyResult {
  for (const [index, { leaf_index, audit_path }] of entries.entries()) {
    const isCovered = index < covered;
    if (isCovered === (leaf_index !== null) && isCovered === (audit_path !== null)) continue;
    const message = `entry ${index + 1} ${isCovered ? "has no proof" : "has a proof that does not belong to it"}`;
    return { kind: "proof_does_not_fit", message };
  }
  return undefined;
}

async function computeRoot(
  proven: ProvenEntryBody,
  treeSize: number,
  primitives: Primitives,
): Promise<string | undefined> {
  const { entry, leaf_index, audit_path } = proven;
  if (leaf_index === null || audit_path === null) return undefined;
  return climbToRoot(entry.entry_hash, leaf_index, treeSize, audit_path, primitives.sha256);
}

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
