import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import {
  AttestationsPage,
  DeviceBody,
  DevicePath,
  DevicesPage,
  FirmwarePage,
  ListAttestationsQuery,
  ListDevicesQuery,
  ListFirmwareQuery,
  RevocationPendingBody,
  RevocationQuery,
} from "./devices.schema.ts";
import type { DevicesService } from "./devices.service.ts";
import type { RevocationCommandsService } from "./revocation-commands.service.ts";

const reading = { needs: ["cps:read"], byKey: true, bySite: "records" } as const;
const Revoked = Type.Union([RevocationPendingBody, DeviceBody], { title: "Revocation" });

export function devicesRoutes(devices: DevicesService, commands: RevocationCommandsService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cps/devices",
      {
        config: reading,
        schema: {
          operationId: "listDevices",
          summary: "List devices",
          querystring: ListDevicesQuery,
          response: { 200: DevicesPage },
        },
      },
      async (request) => devices.list(toScope(callerOf(request)), request.query),
    );

    app.get(
      "/cps/devices/:id",
      {
        config: reading,
        schema: {
          operationId: "getDevice",
          summary: "Get a device",
          params: DevicePath,
          response: { 200: DeviceBody },
        },
      },
      async (request) => devices.get(toScope(callerOf(request)), request.params.id),
    );

    app.get(
      "/cps/attestations",
      {
        config: reading,
        schema: {
          operationId: "listAttestations",
          summary: "List attestations",
          querystring: ListAttestationsQuery,
          response: { 200: AttestationsPage },
        },
      },
      async (request) => devices.listAttestations(toScope(callerOf(request)), request.query),
    );

    app.post(
      "/cps/devices/:id/revoke",
      {
        config: { needs: ["cps:manage"], effect: "change", byKey: true, bySite: "records", stepUp: true },
        schema: {
          operationId: "revokeDevice",
          summary: "Revoke the certificate of a device",
          params: DevicePath,
          querystring: RevocationQuery,
          response: { 200: Type.Union([PreviewOf(Revoked), Revoked]) },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        return answer(reply, 200, await commands.run(callerOf(request), params.id, query.approval_id));
      },
    );

    app.get(
      "/firmware",
      {
        config: { needs: ["cps:read"], byKey: true },
        schema: {
          operationId: "listFirmware",
          summary: "List the firmware catalog",
          querystring: ListFirmwareQuery,
          response: { 200: FirmwarePage },
        },
      },
      async ({ query }) => devices.listFirmware(query),
    );
  };
}
