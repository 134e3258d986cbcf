import { clientNetworkOf } from "@kit/guard/address";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function securityKeysRoutes(deps: SecurityKeysRoutesDeps): Routes {
  const { securityKeys, factors, owners, auth, challenges, findRelyingParty, changes } = deps;
  return async (app) => {
    app.post(
      "/me/factors/webauthn/options",
      operation(
        "createSecurityKeyOptions",
        "Create a challenge to add a security key",
        { needs: "authenticated", bySite: "own", effect: "none", isOpenBeforeFactor: true },
        {
          description:
            "For `navigator.credentials.create`. The first factor of a user with a password needs `current_password`, a later one a fresh factor. The challenge is valid for five minutes and once.",
          body: KeyOptionsRequest,
          response: { 200: CreationOptionsBody },
        },
      ),
      async (request) => {
        const { username } = callerOf(request);
        const rp = requireRelyingParty(findRelyingParty(request));
        // A challenge is issued only after this check, and without a challenge no key is added.
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), request.body.current_password);
        return securityKeys.buildCreation(rp, await challenges.create("enrol", username), username);
      },
    );

    app.post(
      "/me/factors/webauthn",
      operation(
        "createSecurityKey",
        "Add a security key",
        { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        {
          description: "The first factor has the effects of the first confirmed code.",
          body: AddKeyRequest,
          response: { 200: PreviewOf(ConfirmedBody), 201: ConfirmedBody },
        },
      ),
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
