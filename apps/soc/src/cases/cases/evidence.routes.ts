import { callerOf, toScope } from "../../foundation/caller/caller.ts";
import { PageOf, PageQuery, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
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

export function evidenceRoutes(evidence: EvidenceService, changes: Pick<ChangesService, "run">): Routes {
  return async (app) => {
    app.get(
      "/cases/:case_id/evidence",
      operation(
        "listCaseEvidence",
        "List the evidence of a case",
        { needs: ["cases:read"], byKey: true, bySite: "records" },
        { params: CaseParams, querystring: PageQuery, response: { 200: PageOf(EvidenceBody) } },
      ),
      async (request) => evidence.list(toScope(callerOf(request)), request.params.case_id, request.query),
    );
    app.post(
      "/cases/:case_id/evidence",
      operation("registerCaseEvidence", "Register evidence of a case", change, {
        params: CaseParams,
        body: EvidenceRequest,
        response: recorded,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          evidence.register(tx, caller, request.params.case_id, request.body),
        ),
    );
    app.post(
      "/cases/:case_id/evidence/:evidence_id/custody",
      operation("recordEvidenceCustody", "Record a custody entry of evidence", change, {
        params: EvidenceParams,
        body: CustodyRequest,
        response: recorded,
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          evidence.recordCustody(tx, caller, request.params, request.body),
        ),
    );
  };
}
