import type { BundleBody, ProofBody, ProvenEntryBody } from "@soc/service/contract/cases/ledger/ledger";
import { type ProofFault, verifyBundle, verifyProof } from "./verify-bundle.ts";

/** The evidence fields that the page shows. The ledger must have recorded the same values. */
export interface ShownEvidence {
  id: string;
  name: string;
  sha256: string | null;
}

export type EvidenceProof =
  | {
      state: "proven";
      sequence: number;
      /** How many entries of the case are linked without a gap. */
      length: number;
      pathLength: number;
      checkpointAt: string;
      treeSize: number;
      keyId: string;
    }
  /** The chain is genuine, but no checkpoint covers the entry yet. One is signed every minute. */
  | { state: "waiting"; sequence: number }
  | { state: "refused"; fault: ProofFault | { kind: "missing" | "other_evidence"; sequence?: number | undefined } };

/**
 * Proves from the raw data of the service that the ledger contains this evidence, without trusting the service's
 * verdict.
 */
export async function proveEvidence(
  evidence: ShownEvidence,
  bundle: BundleBody,
  readProof: (sequence: number) => Promise<ProofBody>,
): Promise<EvidenceProof> {
  const verdict = await verifyBundle(bundle);
  if (!verdict.isGenuine) return { state: "refused", fault: verdict.fault };
  const found = bundle.entries.find((entry) => isRegistration(entry, evidence.id));
  if (!found) return { state: "refused", fault: { kind: "missing" } };
  const { entry } = found;
  const { sequence } = entry;
  if (!recordsTheSame(entry.body, evidence)) return { state: "refused", fault: { kind: "other_evidence", sequence } };
  if (sequence > bundle.chain.covered) return { state: "waiting", sequence };
  const proof = await readProof(sequence);
  const single = await verifyProof(proof);
  if (!single.isGenuine) return { state: "refused", fault: single.fault };
  if (proof.entry.entry_hash !== entry.entry_hash || proof.public_key !== bundle.public_key) {
    return { state: "refused", fault: { kind: "path", sequence } };
  }
  const { checkpoint, audit_path } = proof;
  return {
    state: "proven",
    sequence,
    length: bundle.chain.length,
    pathLength: audit_path.length,
    checkpointAt: checkpoint.at,
    treeSize: checkpoint.tree_size,
    keyId: checkpoint.key_id,
  };
}

function isRegistration({ entry: { kind, body } }: ProvenEntryBody, id: string): boolean {
  return kind === "evidence.registered" && readField(body, "evidence_id") === id;
}

function recordsTheSame(body: unknown, { name, sha256 }: ShownEvidence): boolean {
  return readField(body, "name") === name && readField(body, "sha256") === sha256;
}

function readField(body: unknown, name: string): unknown {
  return typeof body === "object" && body !== null
    ? new Map<string, unknown>(Object.entries(body)).get(name)
    : undefined;
}
