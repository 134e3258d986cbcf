import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  CoverageBody,
  CoverageQuery,
  ImportAttackRequest,
  ImportedAttackBody,
  LayerBody,
  LayerQuery,
} from "./attack.schema.ts";
import type { AttackService } from "./attack.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const change = { needs: ["detections:write"], effect: "change" } as const;

export function attackRoutes(attack: AttackService, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/detections/coverage",
      {
        config: reading,
        schema: {
          operationId: "getAttackCoverage",
          summary: "Get the ATT&CK coverage of the rules",
          querystring: CoverageQuery,
          response: { 200: CoverageBody },
        },
      },
      async (request) => attack.coverage(callerOf(request), request.query),
    );

    app.get(
      "/detections/coverage/layer",
      {
        config: reading,
        schema: {
          operationId: "getAttackLayer",
          summary: "Get the ATT&CK coverage as a Navigator layer",
          querystring: LayerQuery,
          response: { 200: LayerBody },
        },
      },
      async (request) => attack.layer(callerOf(request), request.query),
    );

    app.put(
      "/detections/attack",
      {
        config: change,
        schema: {
          operationId: "importAttackData",
          summary: "Import MITRE ATT&CK data",
          body: ImportAttackRequest,
          response: { 200: Type.Union([ImportedAttackBody, PreviewOf(ImportedAttackBody)]) },
        },
      },
      async (request, reply) => {
        return answer(reply, 200, await changes.run(request, (tx, caller) => attack.import(tx, caller, request.body)));
      },
    );
  };
}
