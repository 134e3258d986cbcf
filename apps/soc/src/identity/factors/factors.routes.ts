import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { clientNetworkOf } from "@kit/guard/address";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
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

export function factorsRoutes({ factors, owners, auth, changes }: FactorsRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/me/factors",
      {
        config: { needs: "authenticated", bySite: "own", isOpenBeforeFactor: true },
        schema: {
          operationId: "listFactors",
          summary: "List the caller's second factors",
          response: { 200: FactorsBody },
        },
      },
      async (request) => factors.list(callerOf(request)),
    );

    app.post(
      "/me/factors/totp",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        schema: {
          operationId: "createTotpFactor",
          summary: "Add an authenticator app",
          body: EnrolRequest,
          response: { 200: PreviewOf(NewTotpBody), 201: NewTotpBody },
        },
      },
      async (request, reply) => {
        const { body, ip } = request;
        await owners.requireProof(clientNetworkOf(ip), callerOf(request), body.current_password);
        return answer(reply, 201, await changes.run(request, (tx, caller) => factors.enrolTotp(tx, caller, body)));
      },
    );

    app.post(
      "/me/factors/totp/:id/confirm",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change", isOpenBeforeFactor: true },
        schema: {
          operationId: "confirmTotpFactor",
          summary: "Confirm an authenticator app",
          params: FactorPath,
          body: ConfirmRequest,
          response: { 200: Type.Union([ConfirmedBody, PreviewOf(ConfirmedBody)]) },
        },
      },
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
      {
        config: { needs: "authenticated", bySite: "own", effect: "change" },
        schema: {
          operationId: "createRecoveryCodes",
          summary: "Create new recovery codes",
          response: { 200: Type.Union([RecoveryCodesBody, PreviewOf(RecoveryCodesBody)]) },
        },
      },
      async (request, reply) => {
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        return answer(reply, 200, await changes.run(request, (tx, caller) => factors.renewRecoveryCodes(tx, caller)));
      },
    );

    app.patch(
      "/me/factors/:id",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change" },
        schema: {
          operationId: "renameFactor",
          summary: "Rename a second factor",
          params: FactorPath,
          body: RenameRequest,
          response: { 200: Type.Union([FactorBody, PreviewOf(FactorBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        const renamed = await changes.run(request, (tx, caller) => factors.rename(tx, caller, params.id, body.name));
        return answer(reply, 200, renamed);
      },
    );

    app.delete(
      "/me/factors/:id",
      {
        config: { needs: "authenticated", bySite: "own", effect: "change" },
        schema: {
          operationId: "deleteFactor",
          summary: "Delete a second factor",
          params: FactorPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        await owners.requireProof(clientNetworkOf(request.ip), callerOf(request), undefined);
        return answer(reply, 200, await changes.run(request, (tx, caller) => factors.remove(tx, caller, id)));
      },
    );

    app.delete(
      "/users/:username/factors",
      {
        config: { needs: "role:admin", effect: "change", stepUp: true },
        schema: {
          operationId: "deleteUserFactors",
          summary: "Delete the second factors of a user",
          params: UserPath,
          response: { 200: Type.Union([ResetBody, PreviewOf(ResetBody)]) },
        },
      },
      async (request, reply) => {
        const { username } = request.params;
        return answer(reply, 200, await changes.run(request, (tx, caller) => factors.reset(tx, caller, username)));
      },
    );
  };
}
