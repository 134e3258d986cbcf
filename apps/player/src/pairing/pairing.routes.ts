import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PairingBody, PairingRequest, PairingResult } from "./pairing.schema.ts";
import type { PairingService } from "./pairing.service.ts";

export function pairingRoutes(pairing: PairingService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/pairing",
      {
        config: { access: "none", budget: "status" },
        schema: {
          operationId: "getPairing",
          summary: "Get the pairing state",
          description: "`ways` is what a person at this device can do to pair it.",
          response: { 200: PairingBody },
        },
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
          description:
            "400 unless a person at the device has opened pairing within five minutes, 401 if the code is wrong, 429 after three wrong codes of the client.",
          body: PairingRequest,
          response: { 200: PairingResult },
        },
      },
      async ({ body, socket }) => ({ success: true, token: pairing.pair(socket.remoteAddress ?? "", body.code) }),
    );
  };
}
