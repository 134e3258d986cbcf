import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { Deleted, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  ArrivalBody,
  ArrivalRequest,
  ArrivingBody,
  ArrivingRequest,
  MAX_BODY_BYTES,
  MoveBody,
  MovePath,
  MoveRequest,
  RecordsBody,
  RecordsQuery,
} from "./site-moves.schema.ts";
import type { SiteMovesService } from "./site-moves.service.ts";

const moving = { needs: ["sites:manage"], byKey: true, effect: "change" } as const;
/** Many pages: they are counted like logs that come in. */
const reading = { needs: ["sites:manage"], byKey: true, isCountedApart: true, isIntake: true } as const;
const storing = { ...reading, effect: "change" } as const;

/** Below /api/v1. `manara-soc cells move` asks both cells; no cell asks another one. */
export function siteMovesRoutes(moves: SiteMovesService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/cells/moves",
      { config: moving, schema: { body: MoveRequest, response: { 200: Type.Union([MoveBody, PreviewOf(MoveBody)]) } } },
      async (request, reply) => {
        const { dry_run, result } = await changes.run(request, (tx, caller) => moves.freeze(tx, caller, request.body));
        return answer(reply, 200, { dry_run, result: await moves.describe(result) });
      },
    );

    app.get(
      "/cells/moves/records",
      { config: reading, schema: { querystring: RecordsQuery, response: { 200: RecordsBody } } },
      async ({ query }) => moves.page(query),
    );

    app.post(
      "/cells/moves/records",
      {
        config: storing,
        bodyLimit: MAX_BODY_BYTES,
        schema: { body: ArrivingRequest, response: { 200: Type.Union([ArrivingBody, PreviewOf(ArrivingBody)]) } },
      },
      async (request, reply) => {
        const stored = await changes.run(request, (tx, caller) => moves.put(tx, caller, request.body));
        if (!stored.dry_run) await moves.putLogs(request.body);
        return answer(reply, 200, stored);
      },
    );

    app.post(
      "/cells/moves/arrivals",
      {
        config: moving,
        schema: { body: ArrivalRequest, response: { 200: Type.Union([ArrivalBody, PreviewOf(ArrivalBody)]) } },
      },
      async (request, reply) => {
        const arrived = await changes.run(request, (tx, caller) => moves.arrive(tx, caller, request.body));
        return answer(reply, 200, arrived);
      },
    );

    app.post(
      "/cells/moves/:id/end",
      {
        config: moving,
        schema: { params: MovePath, response: { 200: Type.Union([ArrivalBody, PreviewOf(ArrivalBody)]) } },
      },
      async (request, reply) => {
        const ended = await changes.run(request, (tx, caller) => moves.end(tx, caller, request.params.id));
        return answer(reply, 200, ended);
      },
    );

    app.delete(
      "/cells/moves/:id",
      { config: moving, schema: { params: MovePath, response: { 200: Type.Union([Deleted, PreviewOf(Deleted)]) } } },
      async (request, reply) => {
        const cancelled = await changes.run(request, (tx, caller) => moves.cancel(tx, caller, request.params.id));
        return answer(reply, 200, cancelled);
      },
    );
  };
}
