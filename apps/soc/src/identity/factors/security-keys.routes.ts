import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { AuthService } from "../auth/auth.service.ts";
import type { ChallengesService } from "../webauthn/challenges.service.ts";
import { type FindRelyingParty, requireRelyingParty } from "../webauthn/relying-party.ts";
import { CreationOptionsBody } from "../webauthn/webauthn.schema.ts";
import type { FactorOwnersService } from "./factor-owners.service.ts";
import { AddKeyRequest, ConfirmedBody, KeyOptionsRequest } from "./factors.schema.ts";
import type { FactorsService } from "./factors.service.ts";
import { reopenAfterFirst } from "./first-factor.ts";
import type { SecurityKeysService } from "./security-keys.service.ts";

export interface SecurityKeysRoutesDeps {
  securityKeys: SecurityKeysService;
  factors: Pick<FactorsService, "addKey">;
  owners: FactorOwnersService;
  auth: Pick<AuthService, "reopenSession">;
  challenges: ChallengesService;
  findRelyingParty: FindRelyingParty;
  changes: ChangesService;
}

export function securityKeysRoutes(deps: SecurityKeysRoutesDeps): FastifyPluginAsyncTypebox {
  const { securityKeys, factors, owners, auth, challenges, findRelyingParty, changes } = deps;
  return async (app) => {
    app.post(
      "/me/factors/webauthn/options",
      {
        config: { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        schema: {
          operationId: "createSecurityKeyOptions",
          summary: "Create a challenge to add a security key",
          body: KeyOptionsRequest,
          response: { 200: CreationOptionsBody },
        },
      },
      async (request) => {
        const { username } = callerOf(request);
        const rp = requireRelyingParty(findRelyingParty(request));
        // Only who gets past this has a challenge, and without one no key is added.
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), request.body.current_password);
        return securityKeys.buildCreation(rp, await challenges.create("enrol", username), username);
      },
    );

    app.post(
      "/me/factors/webauthn",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        schema: {
          operationId: "createSecurityKey",
          summary: "Add a security key",
          body: AddKeyRequest,
          response: { 200: PreviewOf(ConfirmedBody), 201: ConfirmedBody },
        },
      },
      async (request, reply) => {
        const { name, credential } = request.body;
        const { username } = callerOf(request);
        const rp = requireRelyingParty(findRelyingParty(request));
        const acceptChallenge = (challenge: string) => challenges.accept(challenge, "enrol", username);
        const made = await securityKeys.readNew(rp, credential, acceptChallenge);
        const added = await changes.run(request, (tx, caller) => factors.addKey(tx, caller, made, name));
        await reopenAfterFirst(auth, request, reply, added);
        return answer(reply, 201, added);
      },
    );
  };
}
