import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { findFingerprint } from "../certificates/client-certificate.ts";
import {
  ActivateKeyRequest,
  AttestationRequestBody,
  AttestPath,
  ChallengeBody,
  RegisteredKeyBody,
  RegisterKeyRequest,
} from "./attestation.schema.ts";
import type { AttestationService } from "./attestation.service.ts";
import type { AttestationKeysService } from "./attestation-keys.service.ts";

export function attestationRoutes(
  attestation: Pick<AttestationService, "ask">,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/cps/devices/:id/attest",
      {
        config: { needs: ["cps:manage"], effect: "change", byKey: true },
        schema: {
          operationId: "requestAttestation",
          summary: "Request an attestation from a device",
          params: AttestPath,
          response: { 200: PreviewOf(AttestationRequestBody), 201: AttestationRequestBody },
        },
      },
      async (request, reply) => {
        const asked = await changes.run(request, (tx, { username }) =>
          attestation.ask(tx, request.params.id, username),
        );
        return answer(reply, 201, asked);
      },
    );
  };
}

/** What devices with a TPM call on the device server, by their certificate. */
export function attestationKeyRoutes(keys: AttestationKeysService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/attestation-key",
      { schema: { body: RegisterKeyRequest, response: { 201: ChallengeBody } } },
      async (request, reply) =>
        reply.code(201).send(await keys.register(findFingerprint(request.raw.socket), request.body)),
    );

    app.post(
      "/attestation-key/activate",
      { schema: { body: ActivateKeyRequest, response: { 200: RegisteredKeyBody } } },
      async (request) => keys.activate(findFingerprint(request.raw.socket), request.body),
    );
  };
}
