import Type, { type Static } from "typebox";
import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { Deleted, PageQuery, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answer, answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

/** Uses the intake rate limit, because one API key may send the heartbeats of all endpoints of a site. */
const intake = { isIntake: true, isCountedApart: true } as const;
/** A scan needs no approval. */
const EDR_OPERATIONS = {
  isolate: {
    operationId: "isolateEndpoint",
    summary: "Isolate an endpoint",
    description: "`release_after_minutes` null means never. Answers `pending_approval` with `SOC_FOUR_EYES`.",
  },
  unisolate: {
    operationId: "releaseEndpoint",
    summary: "Release an endpoint from isolation",
    description: "Answers `pending_approval` with `SOC_FOUR_EYES`.",
  },
  scan: { operationId: "scanEndpoint", summary: "Scan an endpoint" },
} as const satisfies Record<EdrActionName, object>;
const NO_QUERY = Type.Unsafe<Static<typeof ApprovalQuery>>(Type.Object({}, { additionalProperties: false }));
const reading = { needs: ["edr:read"], byKey: true, bySite: "records" } as const;

export interface EdrRoutesDeps {
  endpoints: EndpointsService;
  actions: EdrActionsService;
  commands: EdrCommandsService;
}

export function edrRoutes({ endpoints, actions, commands }: EdrRoutesDeps, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/edr/endpoints",
      operation("listEndpoints", "List endpoints", reading, {
        querystring: ListEndpointsQuery,
        response: { 200: EndpointsPage },
      }),
      async (request) => endpoints.list(toScope(callerOf(request)), request.query),
    );

    app.get(
      "/edr/endpoints/:id",
      operation("getEndpoint", "Get an endpoint", reading, { params: EndpointPath, response: { 200: EndpointBody } }),
      async (request) => endpoints.get(toScope(callerOf(request)), request.params.id),
    );

    app.get(
      "/edr/stats",
      operation("getEdrStats", "Get EDR statistics", reading, { response: { 200: EdrStatsBody } }),
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
          // Pass only this field: the rest of the query is not validated.
          const { approval_id } = query;
          const call = { endpoint_id: params.id, action, body: body ?? {}, ...(approval_id && { approval_id }) };
          return answer(reply, 200, await commands.run(callerOf(request), call));
        },
      );
    }

    app.put(
      "/edr/endpoints/:id",
      operation(
        "recordHeartbeat",
        "Record the heartbeat of an endpoint",
        { needs: ["edr:manage"], effect: "internal", byKey: true, bySite: "records", ...intake },
        {
          description:
            "Sent by an agent with its API key. 201 when the endpoint is new, 409 when another one has the hostname.",
          params: EndpointPath,
          body: HeartbeatRequest,
          response: { 200: WithPreviewOf(EndpointBody), 201: EndpointBody },
        },
      ),
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
      operation(
        "retireEndpoint",
        "Retire an endpoint",
        { needs: ["edr:manage"], effect: "change", bySite: "records" },
        {
          description:
            "It is no longer listed and loses its name; its actions stay, and its next heartbeat registers it again. 409 while it is isolated.",
          params: EndpointPath,
          response: { 200: WithPreviewOf(Deleted) },
        },
      ),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => endpoints.retire(tx, caller, request.params.id)),
    );

    app.get(
      "/edr/endpoints/:id/actions",
      operation("listEndpointActions", "List the EDR actions of an endpoint", reading, {
        params: EndpointPath,
        querystring: PageQuery,
        response: { 200: EdrActionsPage },
      }),
      async (request) => actions.listByEndpoint(toScope(callerOf(request)), request.params.id, request.query),
    );

    app.get(
      "/edr/actions",
      operation("listEdrActions", "List EDR actions", reading, {
        querystring: ListActionsQuery,
        response: { 200: EdrActionsPage },
      }),
      async (request) => actions.list(toScope(callerOf(request)), request.query),
    );
  };
}
