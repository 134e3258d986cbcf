import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import { feedbackRoutes } from "../matches/feedback.routes.ts";
import { suppressionsRoutes } from "../matches/suppressions.routes.ts";
import { runsRoutes } from "../runs/runs.routes.ts";
import type { Detections } from "./detections.service.ts";
import { rulesRoutes } from "./rules.routes.ts";

export function detectionsRoutes(detections: Detections, changes: ChangesService): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(rulesRoutes({ ...detections, changes }));
    await app.register(runsRoutes(detections.runs, changes));
    await app.register(suppressionsRoutes(detections.suppressions, changes));
    await app.register(feedbackRoutes(detections.feedback, changes));
  };
}
