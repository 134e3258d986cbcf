import { callerOf } from "../../foundation/caller/caller.ts";
import { PageOf, PreviewOf } from "../../foundation/lists/lists.schema.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { answerChange, operation, type Routes } from "../../foundation/runtime/operation.ts";
import { RuleParams } from "../rules/rules.schema.ts";
import { CreateFeedbackRequest, FeedbackBody, ListFeedbackQuery } from "./feedback.schema.ts";
import type { FeedbackService } from "./feedback.service.ts";

const reading = { needs: ["detections:read"], byKey: true } as const;
const change = { needs: ["detections:write"], effect: "change" } as const;

export function feedbackRoutes(feedback: FeedbackService, changes: ChangesService): Routes {
  return async (app) => {
    app.get(
      "/detections/rules/:rule_id/feedback",
      operation("listRuleFeedback", "List feedback on a detection rule", reading, {
        params: RuleParams,
        querystring: ListFeedbackQuery,
        response: { 200: PageOf(FeedbackBody) },
      }),
      async (request) => feedback.list(callerOf(request), request.params.rule_id, request.query),
    );

    app.post(
      "/detections/rules/:rule_id/feedback",
      operation("createRuleFeedback", "Create feedback on a detection rule", change, {
        params: RuleParams,
        body: CreateFeedbackRequest,
        response: { 200: PreviewOf(FeedbackBody), 201: FeedbackBody },
      }),
      (request, reply) =>
        answerChange(changes, request, reply, 201, (tx, caller) =>
          feedback.create(tx, caller, request.params.rule_id, request.body),
        ),
    );
  };
}
