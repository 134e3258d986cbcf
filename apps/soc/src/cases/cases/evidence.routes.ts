import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callerOf } from "../../foundation/caller/caller.ts";
import { toScope } from "../../foundation/caller/scope.ts";
import { PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import {
  CustodyRequest,
  EvidenceBody,
  EvidenceParams,
  EvidenceRequest,
  RecordedEvidenceBody,
} from "./case-items.schema.ts";
import { CaseParams } from "./cases.schema.ts";
import type { EvidenceService } from "./evidence.service.ts";

const change = { needs: ["cases:write"], effect: "change", byKey: true, bySite: "records" } as const;
const recorded = { 200: PreviewOf(RecordedEvidenceBody), 201: RecordedEvidenceBody };

export function evidenceRoutes(
  evidence: EvidenceService,
  changes: Pick<ChangesService, "run">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/cases/:case_id/evidence",
      {
        config: { needs: ["cases:read"], byKey: true, bySite: "records" },
        schema: {
          operationId: "listCaseEvidence",
          summary: "List the evidence of a case",
          params: CaseParams,
          querystring: PageQuery,
          response: { 200: PageOf(EvidenceBody) },
        },
      },
      async (request) => evidence.list(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/evidence",
      {
        config: change,
        schema: {
          operationId: "registerCaseEvidence",
          summary: "Register evidence of a case",
          params: CaseParams,
          body: EvidenceRequest,
          response: recorded,
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const registered = await changes.run(request, (tx, caller) =>
          evidence.register(tx, caller, params.case_id, body),
        );
        return answer(reply, 201, registered);
      },
    );
    app.post(
      "/cases/:case_id/evidence/:evidence_id/custody",
      {
        config: change,
        schema: {
          operationId: "recordEvidenceCustody",
          summary: "Record a custody entry of evidence",
          params: EvidenceParams,
          body: CustodyRequest,
          response: recorded,
        },
      },
      async (request, reply) => {
        const { params, body } = request;
        const kept = await changes.run(request, (tx, caller) => evidence.recordCustody(tx, caller, params, body));
        return answer(reply, 201, kept);
      },
    );
  };
}
