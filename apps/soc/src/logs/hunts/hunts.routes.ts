import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import { abortOnDisconnect } from "../query/abandonment.ts";
import { toLogBody } from "../search/log-body.ts";
import type { Hunt } from "./hunt.ts";
import {
  CreateHuntRequest,
  HuntBody,
  HuntParams,
  HuntRunBody,
  RunHuntQuery,
  UpdateHuntRequest,
} from "./hunts.schema.ts";
import type { HuntsService } from "./hunts.service.ts";

const reading = { needs: ["siem:read"], byKey: true } as const;
const change = { needs: ["siem:search"], effect: "change", byKey: true } as const;
const searching = { needs: ["siem:search"], effect: "none", byKey: true, logLane: "people" } as const;

export function huntsRoutes(hunts: HuntsService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/siem/hunts",
      {
        config: reading,
        schema: {
          operationId: "listHunts",
          summary: "List hunts",
          querystring: PageQuery,
          response: { 200: PageOf(HuntBody) },
        },
      },
      async (request) => hunts.list(callerOf(request), request.query),
    );

    app.post(
      "/siem/hunts",
      {
        config: change,
        schema: {
          operationId: "createHunt",
          summary: "Create a hunt",
          body: CreateHuntRequest,
          response: { 200: PreviewOf(HuntBody), 201: HuntBody },
        },
      },
      async (request, reply) => {
        const created = await changes.run(request, (tx, caller) => hunts.create(tx, caller, request.body));
        return answerHunt(reply, 201, created);
      },
    );

    app.patch(
      "/siem/hunts/:hunt_id",
      {
        config: change,
        schema: {
          operationId: "updateHunt",
          summary: "Update a hunt",
          params: HuntParams,
          body: UpdateHuntRequest,
          response: { 200: Type.Union([HuntBody, PreviewOf(HuntBody)]) },
        },
      },
      async (request, reply) => {
        const { params, body, headers } = request;
        const updated = await changes.run(request, (tx, caller) =>
          hunts.update(tx, caller, params.hunt_id, body, headers["if-match"]),
        );
        return answerHunt(reply, 200, updated);
      },
    );

    app.delete(
      "/siem/hunts/:hunt_id",
      {
        config: change,
        schema: {
          operationId: "deleteHunt",
          summary: "Delete a hunt",
          params: HuntParams,
          response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) },
        },
      },
      async (request, reply) => {
        const { params, headers } = request;
        const deleted = await changes.run(request, (tx, caller) =>
          hunts.remove(tx, caller, params.hunt_id, headers["if-match"]),
        );
        return answer(reply, 200, deleted);
      },
    );

    app.post(
      "/siem/hunts/:hunt_id/run",
      {
        config: searching,
        schema: {
          operationId: "runHunt",
          summary: "Run a hunt",
          params: HuntParams,
          querystring: RunHuntQuery,
          response: { 200: HuntRunBody },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        const run = await hunts.run(callerOf(request), params.hunt_id, query, abortOnDisconnect(reply));
        return { ...run, logs: run.logs.map(toLogBody) };
      },
    );
  };
}

/** The answer carries the version for If-Match; a preview has none. */
function answerHunt(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Hunt>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
