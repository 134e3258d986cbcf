import { usePhrases } from "../../../app/language/language-context.tsx";
import { proofFaultPhrases } from "./proof-phrases.ts";
import type { ProofFault } from "./verify-bundle.ts";

/** Why a proof is refused, in words. */
export function ProofFaultRow({ kind }: Pick<ProofFault, "kind">) {
  return usePhrases(proofFaultPhrases)[kind];
}
