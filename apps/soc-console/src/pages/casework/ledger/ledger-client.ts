import type {
  BundleBody,
  CheckpointBody,
  ConsistencyBody,
  LedgerStatusBody,
  ProofBody,
} from "@soc/service/contract/cases/ledger/ledger";
import { saveFile } from "../../../app/files/save-file.ts";
import type { ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";
import { type EvidenceProof, proveEvidence, type ShownEvidence } from "./evidence-proof.ts";

export type { EvidenceProof, ShownEvidence };
export type Checkpoint = CheckpointBody;
export type LedgerBundle = BundleBody;
export type Consistency = ConsistencyBody;
export type LedgerStatus = Wire<LedgerStatusBody>;

export const ledgerKeys = {
  status: ["ledger", "status"] as const,
  cases: ["ledger", "cases"] as const,
  consistency: (from: number, to: number) => ["ledger", "consistency", from, to] as const,
  proof: (caseId: string, evidenceId: string) => ["ledger", "one", caseId, evidenceId] as const,
};

export function readStatus(server: Server, signal?: AbortSignal): Promise<LedgerStatus> {
  return server.get<LedgerStatus>("/ledger/status", { signal });
}

export function listCheckpoints(server: Server, query: Readonly<Record<string, QueryValue>>, signal?: AbortSignal) {
  return server.get<ListResponse<Checkpoint>>("/ledger/checkpoints", { query, signal });
}

/** The proof that the tree of `to` entries starts with the tree of `from`. Verify it; do not trust it. */
export function readConsistency(server: Server, from: number, to: number, signal?: AbortSignal): Promise<Consistency> {
  return server.get<Consistency>("/ledger/consistency", { query: { from, to }, signal, priority: "user" });
}

/** Everything that the offline verifier needs for the chain of a case. */
export function readBundle(server: Server, caseId: string, signal?: AbortSignal): Promise<BundleBody> {
  return server.get<BundleBody>("/ledger/bundle", { query: { case_id: caseId }, signal, priority: "user" });
}

/** Loads the ledger entry of a piece of evidence and verifies it in the browser. */
export async function checkEvidence(
  server: Server,
  caseId: string,
  evidence: ShownEvidence,
  signal?: AbortSignal,
): Promise<EvidenceProof> {
  const bundle = await readBundle(server, caseId, signal);
  return proveEvidence(evidence, bundle, (sequence) =>
    server.get<ProofBody>("/ledger/proof", { query: { case_id: caseId, sequence }, signal, priority: "user" }),
  );
}

/** The input file of `manara-soc verify`. */
export function saveBundle(bundle: LedgerBundle): void {
  saveFile(`ledger-${bundle.chain.case_id}.json`, new Blob([JSON.stringify(bundle)], { type: "application/json" }));
}

const MAX_CASES = 100;

/** The most recently changed cases, for the chain selection. */
export function listRecentCases(server: Server, signal?: AbortSignal) {
  return server.get<ListResponse<{ id: string; title: string }>>("/cases", {
    query: { limit: MAX_CASES, sort: "-updated_at" },
    signal,
  });
}
