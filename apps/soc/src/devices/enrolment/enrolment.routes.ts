import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function enrolmentCodesRoutes(enrolment: EnrolmentService, changes: ChangesService): Routes {
  return async (app) => {
    app.post(
      "/cps/enrolment-codes",
      operation(
        "createEnrolmentCode",
        "Create an enrolment code for a device",
        { needs: ["cps:manage"], effect: "change", byKey: true, stepUp: true },
        {
          description:
            "`name` and `type`, or `device_id` alone for a device that has lost its certificate. The code is shown once and valid for 15 minutes; a preview has none.",
          body: CreateCodeRequest,
          response: { 200: PreviewOf(EnrolmentBody), 201: NewCodeBody },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) => enrolment.createCode(tx, caller, request.body)),
    );
  };
}

/** Registers the routes of devices on a separate server: devices have certificates and no caller. */
export function deviceRoutes(enrolment: Pick<EnrolmentService, "enrol" | "renew">): Routes {
  return async (app) => {
    app.post("/enrol", { schema: { body: EnrolRequest, response: { 201: IssuedBody } } }, async ({ body }, reply) =>
      reply.code(201).send(await enrolment.enrol(body)),
    );

    app.post("/renew", { schema: { body: RenewRequest, response: { 201: IssuedBody } } }, async (request, reply) =>
      reply.code(201).send(await enrolment.renew(findFingerprint(request.raw.socket), request.body.csr)),
    );
  };
}
