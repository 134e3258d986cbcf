import { usePhrases } from "../../../app/language/language-context.tsx";
import { proofFaultPhrases } from "./proof-phrases.ts";
import type { ProofFault } from "./verify-bundle.ts";

/** The reason why a proof was rejected. */
export function ProofFaultRow({ kind }: Pick<ProofFault, "kind">) {
  return usePhrases(proofFaultPhrases)[kind];
}
