import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type, { type Static } from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { Deleted, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  ApprovalQuery,
  EDR_ACTIONS,
  EdrActionBody,
  type EdrActionName,
  EdrActionPreviewBody,
  EdrActionRequestBody,
  EdrActionsPage,
  EdrPendingBody,
  EdrStatsBody,
  EndpointBody,
  EndpointPath,
  EndpointsPage,
  HeartbeatRequest,
  IsolateRequestBody,
  ListActionsQuery,
  ListEndpointsQuery,
} from "./edr.schema.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";
import type { EdrCommandsService } from "./edr-commands.service.ts";
import type { EndpointsService } from "./endpoints.service.ts";

/** The budget of the intake: one API key may send the heartbeats of all endpoints of a site. */
const intake = { isIntake: true, isCountedApart: true } as const;
/** A scan needs no approval. */
const EDR_OPERATIONS = {
  isolate: { operationId: "isolateEndpoint", summary: "Isolate an endpoint" },
  unisolate: { operationId: "releaseEndpoint", summary: "Release an endpoint from isolation" },
  scan: { operationId: "scanEndpoint", summary: "Scan an endpoint" },
} as const satisfies Record<EdrActionName, object>;
const NO_QUERY = Type.Unsafe<Static<typeof ApprovalQuery>>(Type.Object({}, { additionalProperties: false }));
const reading = { needs: ["edr:read"], byKey: true, bySite: "records" } as const;

export interface EdrRoutesDeps {
  endpoints: EndpointsService;
  actions: EdrActionsService;
  commands: EdrCommandsService;
}

export function edrRoutes(
  { endpoints, actions, commands }: EdrRoutesDeps,
  changes: ChangesService,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/edr/endpoints",
      {
        config: reading,
        schema: {
          operationId: "listEndpoints",
          summary: "List endpoints",
          querystring: ListEndpointsQuery,
          response: { 200: EndpointsPage },
        },
      },
      async (request) => endpoints.list(toScope(callerOf(request)), request.query),
    );

    app.get(
      "/edr/endpoints/:id",
      {
        config: reading,
        schema: {
          operationId: "getEndpoint",
          summary: "Get an endpoint",
          params: EndpointPath,
          response: { 200: EndpointBody },
        },
      },
      async (request) => endpoints.get(toScope(callerOf(request)), request.params.id),
    );

    app.get(
      "/edr/stats",
      {
        config: reading,
        schema: { operationId: "getEdrStats", summary: "Get EDR statistics", response: { 200: EdrStatsBody } },
      },
      async (request) => endpoints.stats(toScope(callerOf(request))),
    );

    for (const action of EDR_ACTIONS) {
      app.post(
        `/edr/endpoints/:id/${action}`,
        {
          config: {
            needs: ["edr:manage"],
            effect: "change",
            byKey: true,
            bySite: "records",
            stepUp: action !== "scan",
          },
          schema: {
            ...EDR_OPERATIONS[action],
            params: EndpointPath,
            querystring: action === "scan" ? NO_QUERY : ApprovalQuery,
            body: action === "isolate" ? IsolateRequestBody : EdrActionRequestBody,
            response: { 200: Type.Union([EdrActionPreviewBody, EdrPendingBody, EdrActionBody]) },
          },
        },
        async (request, reply) => {
          const { params, query, body } = request;
          // Not the whole query: it may hold names that no schema checks.
          const { approval_id } = query;
          const call = { endpoint_id: params.id, action, body: body ?? {}, ...(approval_id && { approval_id }) };
          return answer(reply, 200, await commands.run(callerOf(request), call));
        },
      );
    }

    app.put(
      "/edr/endpoints/:id",
      {
        config: { needs: ["edr:manage"], effect: "internal", byKey: true, bySite: "records", ...intake },
        schema: {
          operationId: "recordHeartbeat",
          summary: "Record the heartbeat of an endpoint",
          params: EndpointPath,
          body: HeartbeatRequest,
          response: { 200: Type.Union([EndpointBody, PreviewOf(EndpointBody)]), 201: EndpointBody },
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const { dry_run, result } = await changes.run(request, (tx, caller) =>
          endpoints.recordHeartbeat(tx, caller, params.id, body),
        );
        return answer(reply, result.isNew ? 201 : 200, { dry_run, result: result.endpoint });
      },
    );

    app.delete(
      "/edr/endpoints/:id",
      {
        config: { needs: ["edr:manage"], effect: "change", bySite: "records" },
        schema: {
          operationId: "retireEndpoint",
          summary: "Retire an endpoint",
          params: EndpointPath,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params } = request;
        return answer(reply, 200, await changes.run(request, (tx, caller) => endpoints.retire(tx, caller, params.id)));
      },
    );

    app.get(
      "/edr/endpoints/:id/actions",
      {
        config: reading,
        schema: {
          operationId: "listEndpointActions",
          summary: "List the EDR actions of an endpoint",
          params: EndpointPath,
          querystring: PageQuery,
          response: { 200: EdrActionsPage },
        },
      },
      async (request) => actions.listByEndpoint(toScope(callerOf(request)), request.params.id, request.query),
    );

    app.get(
      "/edr/actions",
      {
        config: reading,
        schema: {
          operationId: "listEdrActions",
          summary: "List EDR actions",
          querystring: ListActionsQuery,
          response: { 200: EdrActionsPage },
        },
      },
      async (request) => actions.list(toScope(callerOf(request)), request.query),
    );
  };
}
