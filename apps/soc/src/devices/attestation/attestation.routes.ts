import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function attestationRoutes(attestation: Pick<AttestationService, "ask">, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/cps/devices/:id/attest",
      operation(
        "requestAttestation",
        "Request an attestation from a device",
        { needs: ["cps:manage"], effect: "change", byKey: true },
        {
          description: "Answers the open request while there is one.",
          params: AttestPath,
          response: { 200: PreviewOf(AttestationRequestBody), 201: AttestationRequestBody },
        },
      ),
      async (request, reply) => {
        const asked = await changes.run(request, (tx, { username }) =>
          attestation.ask(tx, request.params.id, username),
        );
        return answer(reply, 201, asked);
      },
    );
  };
}

/** Registers the routes that devices with a TPM call on device server with their certificate. */
export function attestationKeyRoutes(keys: AttestationKeysService): Routes {
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
