import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PairingBody, PairingRequest, PairingResult } from "./pairing.schema.ts";
import type { PairingService } from "./pairing.service.ts";

export function pairingRoutes(pairing: PairingService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/pairing",
      { config: { access: "none", budget: "status" }, schema: { response: { 200: PairingBody } } },
      async () => pairing.body(),
    );
    app.post(
      "/pairing",
      {
        config: { access: "none", budget: "pairing" },
        schema: { body: PairingRequest, response: { 200: PairingResult } },
      },
      async ({ body, socket }) => ({ success: true, token: pairing.pair(socket.remoteAddress ?? "", body.code) }),
    );
  };
}
