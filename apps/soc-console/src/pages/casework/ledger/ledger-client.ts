import type { BundleBody, ProofBody } from "@soc/service/contract/casework/ledger/ledger";
import type { Server } from "../../../app/server/server.ts";
import { type EvidenceProof, proveEvidence, type ShownEvidence } from "./evidence-proof.ts";

export type { EvidenceProof, ShownEvidence };

export const ledgerKeys = {
  proof: (caseId: string, evidenceId: string) => ["ledger", "one", caseId, evidenceId] as const,
};

/** Everything that the verifier without a server needs for the chain of a case. */
export function readBundle(server: Server, caseId: string, signal?: AbortSignal): Promise<BundleBody> {
  return server.get<BundleBody>("/ledger/bundle", { query: { case_id: caseId }, signal, priority: "user" });
}

/** Reads what the ledger has of a piece of evidence, and checks it in this browser. */
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
