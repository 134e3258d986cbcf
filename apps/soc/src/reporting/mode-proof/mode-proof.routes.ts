import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { ModeProofBody, ProofQuery } from "./mode-proof.schema.ts";
import type { ProofService } from "./mode-proof.service.ts";

export function outboundRoutes(proofs: ProofService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/system/mode/proof",
      {
        config: { needs: "authenticated" },
        schema: {
          operationId: "getModeProof",
          summary: "Get a signed proof of outbound traffic",
          querystring: ProofQuery,
          response: { 200: ModeProofBody },
        },
      },
      async ({ query }) => proofs.prove(query),
    );
  };
}
