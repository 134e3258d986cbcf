import type {
  CreateSuppressionRequest,
  SuppressionBody,
  SuppressionPreviewBody,
} from "@soc/service/contract/detection/suppressions/suppressions";
import type { Static } from "typebox";
import type { ChangeResult, Server, Wire } from "../server/server.ts";

export function createSuppressClient(server: Server) {
  const below = (ruleId: string) => `/detections/rules/${encodeURIComponent(ruleId)}/suppressions`;
  return {
    /** What the suppression would have hidden since then. */
    preview: (
      ruleId: string,
      body: { criteria: CreateSuppressionRequest["criteria"]; from: string },
      signal: AbortSignal,
    ) => server.post<Wire<Static<typeof SuppressionPreviewBody>>>(`${below(ruleId)}/preview`, body, { signal }),
    suppress: (ruleId: string, body: CreateSuppressionRequest) =>
      server.post<ChangeResult<Wire<Static<typeof SuppressionBody>>>>(below(ruleId), body),
  };
}
