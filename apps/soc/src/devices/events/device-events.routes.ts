import type { Routes } from "../../foundation/runtime/operation.ts";
import { findFingerprint } from "../certificates/client-certificate.ts";
import { DeviceEventsBody, DeviceEventsRequest } from "./device-events.schema.ts";
import type { DeviceEventsService } from "./device-events.service.ts";

/** Registers the routes that devices call on the device server with their certificate. */
export function deviceEventsRoutes(events: DeviceEventsService): Routes {
  return async (app) => {
    app.post(
      "/events",
      { schema: { body: DeviceEventsRequest, response: { 202: DeviceEventsBody } } },
      async (request, reply) =>
        reply.code(202).send(await events.accept(findFingerprint(request.raw.socket), request.body.events)),
    );
  };
}
