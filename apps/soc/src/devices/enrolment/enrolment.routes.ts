import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { findFingerprint } from "../certificates/client-certificate.ts";
import {
  CreateCodeRequest,
  EnrolmentBody,
  EnrolRequest,
  IssuedBody,
  NewCodeBody,
  RenewRequest,
} from "./enrolment.schema.ts";
import type { EnrolmentService } from "./enrolment.service.ts";

export function enrolmentCodesRoutes(enrolment: EnrolmentService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/cps/enrolment-codes",
      {
        config: { needs: ["cps:manage"], effect: "change", byKey: true },
        schema: {
          operationId: "createEnrolmentCode",
          summary: "Create an enrolment code for a device",
          body: CreateCodeRequest,
          response: { 200: PreviewOf(EnrolmentBody), 201: NewCodeBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => enrolment.createCode(tx, caller, request.body));
        return answer(reply, 201, created);
      },
    );
  };
}

/** What devices call, on a server of its own: they have certificates and no caller. */
export function deviceRoutes(enrolment: Pick<EnrolmentService, "enrol" | "renew">): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post("/enrol", { schema: { body: EnrolRequest, response: { 201: IssuedBody } } }, async ({ body }, reply) =>
      reply.code(201).send(await enrolment.enrol(body)),
    );

    app.post("/renew", { schema: { body: RenewRequest, response: { 201: IssuedBody } } }, async (request, reply) =>
      reply.code(201).send(await enrolment.renew(findFingerprint(request.raw.socket), request.body.csr)),
    );
  };
}
