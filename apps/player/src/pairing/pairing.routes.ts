import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PairingBody, PairingRequest, PairingResult } from "./pairing.schema.ts";
import type { PairingService } from "./pairing.service.ts";

export function pairingRoutes(pairing: PairingService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/pairing",
      {
        config: { access: "none", budget: "status" },
        schema: { operationId: "getPairing", summary: "Get the pairing state", response: { 200: PairingBody } },
      },
      async () => pairing.body(),
    );
    app.post(
      "/pairing",
      {
        config: { access: "none", budget: "pairing" },
        schema: {
          operationId: "pairDevice",
          summary: "Pair with a code",
          body: PairingRequest,
          response: { 200: PairingResult },
        },
      },
      async ({ body, socket }) => ({ success: true, token: pairing.pair(socket.remoteAddress ?? "", body.code) }),
    );
  };
}
