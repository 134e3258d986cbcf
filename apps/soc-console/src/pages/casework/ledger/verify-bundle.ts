import { fromHex, toHex } from "@kit/query/bytes";
import { canonicalJson } from "@kit/query/canonical-json";
import { climbToRoot } from "@kit/query/merkle-proof";
import type {
  BundleBody,
  ConsistencyBody,
  EntryBody,
  ProofBody,
  ProvenEntryBody,
} from "@soc/service/contract/cases/ledger/ledger";
import { sha256, sha256Hex, toBytes, verifyEd25519 } from "./bytes.ts";
import { isConsistent } from "./consistency.ts";

/** Why a proof is rejected; `sequence` is the failing entry. */
export interface ProofFault {
  kind: "malformed" | "key" | "signature" | "entry" | "order" | "end" | "root" | "path";
  sequence?: number | undefined;
}

export type BundleVerdict = { isGenuine: true } | { isGenuine: false; fault: ProofFault };

const ignore = () => undefined;
const FIRST_PREVIOUS_HASH = "0".repeat(64);
const HASH = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;

const refuse = (kind: ProofFault["kind"], sequence?: number): BundleVerdict => ({
  isGenuine: false,
  fault: { kind, sequence },
});

/**
 * Checks everything that a ledger bundle claims: its signatures, the hash chain from the first entry to the signed end,
 * and the path of each covered entry to the root of the signed checkpoint. The service has a separate offline verifier;
 * they share only the canonical JSON and the computation of the root. `onStep` is called `countSteps` times.
 */
export async function verifyBundle(bundle: BundleBody, onStep: () => void = ignore): Promise<BundleVerdict> {
  if (!isWellFormed(bundle)) return refuse("malformed");
  const fault =
    (await findSigningFault(bundle)) ??
    (await findChainFault(bundle, onStep)) ??
    (await findCheckpointFault(bundle, onStep));
  return fault ? { isGenuine: false, fault } : { isGenuine: true };
}

/** Each entry is checked in its chain, and on its path to the root. */
export function countSteps({ entries }: BundleBody): number {
  return 2 * entries.length;
}

/**
 * Checks that two signed checkpoints belong to one append-only tree. Statements must be signed by the key in the
 * response, the only key that the service names.
 */
export async function verifyConsistency({ from, to, proof, public_key }: ConsistencyBody): Promise<BundleVerdict> {
  const isFormed = isHash(public_key) && isCheckpoint(from) && isCheckpoint(to) && proof.every(isHash);
  if (!isFormed) return refuse("malformed");
  const keyId = await readKeyId(public_key);
  for (const checkpoint of [from, to]) {
    if (checkpoint.key_id !== keyId) return refuse("key");
    if (!(await isSigned(public_key, { checkpoint }))) return refuse("signature");
  }
  const [earlier, later] = [from, to].map(({ tree_size, root_hash }) => ({ size: tree_size, root: root_hash }));
  const isGrown = earlier !== undefined && later !== undefined && (await isConsistent(earlier, later, proof));
  return isGrown ? { isGenuine: true } : refuse("path");
}

/** Checks one entry: its hash, the signature of the checkpoint, and the path between them. */
export async function verifyProof({ entry, leaf_index, audit_path, ...proof }: ProofBody): Promise<BundleVerdict> {
  const { checkpoint, public_key } = proof;
  const isFormed =
    HASH.test(public_key) && isCheckpoint(checkpoint) && isProvenEntry({ entry, leaf_index, audit_path });
  if (!isFormed) return refuse("malformed");
  if (checkpoint.key_id !== (await readKeyId(public_key))) return refuse("key");
  if (!(await isSigned(public_key, { checkpoint }))) return refuse("signature");
  if ((await hashEntry(entry)) !== entry.entry_hash) return refuse("entry", entry.sequence);
  const root = await climbToRoot(entry.entry_hash, leaf_index, checkpoint.tree_size, audit_path, sha256);
  return root === checkpoint.root_hash ? { isGenuine: true } : refuse("path", entry.sequence);
}

async function readKeyId(publicKey: string): Promise<string> {
  return toHex(await sha256(fromHex(publicKey)));
}

/** entry_hash is the SHA-256 of all fields except the hash itself. */
async function hashEntry({ entry_hash: _, ...hashed }: EntryBody): Promise<string> {
  return sha256Hex(canonicalJson(hashed));
}

/** The signature covers the statement name, so that a signature of one kind is never valid for another. */
async function isSigned(publicKey: string, named: Record<string, { signature: string }>): Promise<boolean> {
  const [name = "", { signature, ...statement } = { signature: "" }] = Object.entries(named)[0] ?? [];
  return verifyEd25519(fromHex(publicKey), toBytes(canonicalJson({ [name]: statement })), fromHex(signature));
}

async function findSigningFault({ public_key, chain, checkpoint }: BundleBody): Promise<ProofFault | undefined> {
  const keyId = await readKeyId(public_key);
  if (chain.key_id !== keyId || (checkpoint && checkpoint.key_id !== keyId)) return { kind: "key" };
  if (!(await isSigned(public_key, { chain }))) return { kind: "signature" };
  if (checkpoint && !(await isSigned(public_key, { checkpoint }))) return { kind: "signature" };
  return undefined;
}

async function findChainFault({ chain, entries }: BundleBody, onStep: () => void): Promise<ProofFault | undefined> {
  let previous = FIRST_PREVIOUS_HASH;
  for (const [index, { entry }] of entries.entries()) {
    const sequence = index + 1;
    if ((await hashEntry(entry)) !== entry.entry_hash) return { kind: "entry", sequence };
    const isNext = entry.case_id === chain.case_id && entry.sequence === sequence && entry.previous_hash === previous;
    if (!isNext) return { kind: "order", sequence };
    previous = entry.entry_hash;
    onStep();
  }
  return entries.length === chain.length && previous === chain.head_hash ? undefined : { kind: "end" };
}

async function findCheckpointFault(
  { chain, checkpoint, entries }: BundleBody,
  onStep: () => void,
): Promise<ProofFault | undefined> {
  if ((checkpoint?.tree_size ?? 0) !== chain.tree_size || chain.covered > entries.length) return { kind: "root" };
  for (const [index, { entry, leaf_index, audit_path }] of entries.entries()) {
    const isCovered = index < chain.covered;
    const fault: ProofFault = { kind: "path", sequence: index + 1 };
    onStep();
    if (!isCovered) {
      if (leaf_index !== null || audit_path !== null) return fault;
      continue;
    }
    if (leaf_index === null || audit_path === null || !checkpoint) return fault;
    const root = await climbToRoot(entry.entry_hash, leaf_index, chain.tree_size, audit_path, sha256);
    if (root !== checkpoint.root_hash) return fault;
  }
  return undefined;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isHash = (value: unknown) => typeof value === "string" && HASH.test(value);
const isText = (value: unknown) => typeof value === "string" && canBeWritten(value);

/** Reject unknown fields: no signature covers them. */
function hasShape(value: unknown, shape: Readonly<Record<string, (member: unknown) => boolean>>): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = Object.entries(value);
  return members.length === Object.keys(shape).length && members.every(([name, member]) => shape[name]?.(member));
}

function isCheckpoint(value: unknown): boolean {
  return hasShape(value, { tree_size: isCount, root_hash: isHash, at: isText, key_id: isHash, signature: isSignature });
}

const isSignature = (value: unknown) => typeof value === "string" && SIGNATURE.test(value);

function isProvenEntry(value: unknown): boolean {
  return hasShape(value, {
    entry: isEntry,
    leaf_index: (member) => member === null || isCount(member),
    audit_path: (member) => member === null || (Array.isArray(member) && member.every(isHash)),
  });
}

function isEntry(value: unknown): boolean {
  return hasShape(value, {
    case_id: isText,
    sequence: isCount,
    previous_hash: isHash,
    entry_hash: isHash,
    kind: isText,
    actor: isText,
    at: isText,
    body: (member) => typeof member === "object" && member !== null && canBeWritten(member),
  });
}

function isWellFormed(bundle: unknown): boolean {
  return hasShape(bundle, {
    format: (value) => value === "manara-soc-ledger-1",
    public_key: isHash,
    checkpoint: (value) => value === null || isCheckpoint(value),
    chain: (value) =>
      hasShape(value, {
        case_id: isText,
        length: isCount,
        head_hash: isHash,
        covered: isCount,
        tree_size: isCount,
        at: isText,
        key_id: isHash,
        signature: isSignature,
      }),
    entries: (value) => Array.isArray(value) && value.every((entry: ProvenEntryBody) => isProvenEntry(entry)),
  });
}

function canBeWritten(value: unknown): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}
