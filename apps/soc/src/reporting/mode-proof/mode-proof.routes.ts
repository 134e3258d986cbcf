import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { ModeProofBody, ProofQuery } from "./mode-proof.schema.ts";
import type { ProofService } from "./mode-proof.service.ts";

export function outboundRoutes(proofs: ProofService): Routes {
  return async (app) => {
    app.get(
      "/system/mode/proof",
      operation(
        "getModeProof",
        "Get a signed proof of outbound traffic",
        { needs: "authenticated" },
        {
          description:
            "What left the platform in that time, what was held back, and the modes it ran in; signed, for `manara-soc verify`. At most 31 days.",
          querystring: ProofQuery,
          response: { 200: ModeProofBody },
        },
      ),
      async ({ query }) => proofs.prove(query),
    );
  };
}
