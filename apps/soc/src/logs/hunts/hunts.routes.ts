import { callerOf } from "../../foundation/caller/caller.ts";
import { Deleted, PageOf, PageQuery, PreviewOf, WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, answerNewVersion, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { abortOnDisconnect } from "../query/abort-on-disconnect.ts";
import { toLogBody } from "../search/log-body.ts";
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

export function huntsRoutes(hunts: HuntsService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/siem/hunts",
      operation("listHunts", "List hunts", reading, { querystring: PageQuery, response: { 200: PageOf(HuntBody) } }),
      async (request) => hunts.list(callerOf(request), request.query),
    );

    app.post(
      "/siem/hunts",
      operation("createHunt", "Create a hunt", change, {
        body: CreateHuntRequest,
        response: { 200: PreviewOf(HuntBody), 201: HuntBody },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 201, (tx, caller) => hunts.create(tx, caller, request.body)),
    );

    app.patch(
      "/siem/hunts/:hunt_id",
      operation("updateHunt", "Update a hunt", change, {
        params: HuntParams,
        body: UpdateHuntRequest,
        response: { 200: WithPreviewOf(HuntBody) },
      }),
      (request, reply) =>
        answerNewVersion(changes, request, reply, 200, (tx, caller) =>
          hunts.update(tx, caller, request.params.hunt_id, request.body, request.headers["if-match"]),
        ),
    );

    app.delete(
      "/siem/hunts/:hunt_id",
      operation("deleteHunt", "Delete a hunt", change, {
        params: HuntParams,
        response: { 200: WithPreviewOf(Deleted) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) =>
          hunts.remove(tx, caller, request.params.hunt_id, request.headers["if-match"]),
        ),
    );

    app.post(
      "/siem/hunts/:hunt_id/run",
      operation("runHunt", "Run a hunt", searching, {
        description: "Covers the last 24 hours unless `from` and `to` say otherwise, and answers the newest matches.",
        params: HuntParams,
        querystring: RunHuntQuery,
        response: { 200: HuntRunBody },
      }),
      async (request, reply) => {
        const { params, query } = request;
        const run = await hunts.run(callerOf(request), params.hunt_id, query, abortOnDisconnect(reply));
        return { ...run, logs: run.logs.map(toLogBody) };
      },
    );
  };
}
