import { callerOf } from "../../foundation/caller/caller.ts";
import { WithPreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function attackRoutes(attack: AttackService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/coverage",
      operation("getAttackCoverage", "Get the ATT&CK coverage of the rules", reading, {
        description:
          "`state` of a technique: `none`; `waiting`, rules exist and none has run; `silent`, their time passed while their source sent nothing; `ran`. `imported_at` null means the version that the product brings.",
        querystring: CoverageQuery,
        response: { 200: CoverageBody },
      }),
      async (request) => attack.coverage(callerOf(request), request.query),
    );

    app.get(
      "/detections/coverage/layer",
      operation("getAttackLayer", "Get the ATT&CK coverage as a Navigator layer", reading, {
        description: "Format 4.5 of ATT&CK Navigator.",
        querystring: LayerQuery,
        response: { 200: LayerBody },
      }),
      async (request) => attack.layer(callerOf(request), request.query),
    );

    app.put(
      "/detections/attack",
      operation("importAttackData", "Import MITRE ATT&CK data", change, {
        description: "Takes the public ATT&CK data.",
        body: ImportAttackRequest,
        response: { 200: WithPreviewOf(ImportedAttackBody) },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 200, (tx, caller) => attack.import(tx, caller, request.body)),
    );
  };
}
