import { clientNetworkOf } from "@kit/guard/address";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { AuthService } from "../auth/auth.service.ts";
import { UserPath } from "../users/users.schema.ts";
import type { FactorOwnersService } from "./factor-owners.service.ts";
import {
  ConfirmedBody,
  ConfirmRequest,
  EnrolRequest,
  FactorBody,
  FactorPath,
  FactorsBody,
  NewTotpBody,
  RecoveryCodesBody,
  RenameRequest,
  ResetBody,
} from "./factors.schema.ts";
import type { FactorsService } from "./factors.service.ts";
import { reopenAfterFirst } from "./first-factor.ts";

export interface FactorsRoutesDeps {
  factors: FactorsService;
  owners: FactorOwnersService;
  auth: Pick<AuthService, "reopenSession">;
  changes: ChangesService;
}

export function factorsRoutes({ factors, owners, auth, changes }: FactorsRoutesDeps): Routes {
  return async (app) => {
    app.get(
      "/me/factors",
      operation(
        "listFactors",
        "List the caller's second factors",
        { needs: "authenticated", bySite: "own", isOpenBeforeFactor: true },
        { response: { 200: FactorsBody } },
      ),
      async (request) => factors.list(callerOf(request)),
    );

    app.post(
      "/me/factors/totp",
      operation(
        "createTotpFactor",
        "Add an authenticator app",
        { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        {
          description:
            "The first factor of a user with a password needs `current_password`, a later one a fresh factor. The secret is shown only in this answer. A user has at most 10 factors.",
          body: EnrolRequest,
          response: { 200: PreviewOf(NewTotpBody), 201: NewTotpBody },
        },
      ),
      async (request, reply) => {
        const { body, ip } = request;
        await owners.requireProof(clientNetworkOf(ip), callerOf(request), body.current_password);
        return answer(reply, 201, await changes.run(request, (tx, caller) => factors.enrolTotp(tx, caller, body)));
      },
    );

    app.post(
      "/me/factors/totp/:id/confirm",
      operation(
        "confirmTotpFactor",
        "Confirm an authenticator app",
        { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        {
          description:
            "The factor counts from now on. With the first factor the answer has `recovery_codes`, shown only now; every session and token ends, and a browser gets a new session.",
          params: FactorPath,
          body: ConfirmRequest,
          response: { 200: WithPreviewOf(ConfirmedBody) },
        },
      ),
      async (request, reply) => {
        const { id } = request.params;
        const confirmed = await changes.run(request, (tx, caller) =>
          factors.confirmTotp(tx, caller, id, request.body.code),
        );
        await reopenAfterFirst(auth, request, reply, confirmed);
        return answer(reply, 200, confirmed);
      },
    );

    app.post(
      "/me/factors/recovery-codes",
      operation(
        "createRecoveryCodes",
        "Create new recovery codes",
        { needs: "authenticated", bySite: "own", effect: "change" },
        {
          description: "Needs a fresh factor. The ten codes are shown only now; former ones end.",
          response: { 200: WithPreviewOf(RecoveryCodesBody) },
        },
      ),
      async (request, reply) => {
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        return answer(reply, 200, await changes.run(request, (tx, caller) => factors.renewRecoveryCodes(tx, caller)));
      },
    );

    app.patch(
      "/me/factors/:id",
      operation(
        "renameFactor",
        "Rename a second factor",
        { needs: "authenticated", bySite: "own", effect: "change" },
        {
          description: "Needs a fresh factor.",
          params: FactorPath,
          body: RenameRequest,
          response: { 200: WithPreviewOf(FactorBody) },
        },
      ),
      async (request, reply) => {
        const { params, body } = request;
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        const renamed = await changes.run(request, (tx, caller) => factors.rename(tx, caller, params.id, body.name));
        return answer(reply, 200, renamed);
      },
    );

    app.delete(
      "/me/factors/:id",
      operation(
        "deleteFactor",
        "Delete a second factor",
        { needs: "authenticated", bySite: "own", effect: "change" },
        {
          description:
            "Needs a fresh factor. With the last factor the recovery codes end. 409 for the last factor of a role that must have one.",
          params: FactorPath,
          response: { 200: WithPreviewOf(Deleted) },
        },
      ),
      async (request, reply) => {
        const { id } = request.params;
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        return answer(reply, 200, await changes.run(request, (tx, caller) => factors.remove(tx, caller, id)));
      },
    );

    app.delete(
      "/users/:username/factors",
      operation(
        "deleteUserFactors",
        "Delete the second factors of a user",
        { needs: "role:admin", effect: "change", stepUp: true },
        {
          description: "The user signs in with the password alone again; every session and token of the user ends.",
          params: UserPath,
          response: { 200: WithPreviewOf(ResetBody) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => factors.reset(tx, caller, request.params.username)),
    );
  };
}
