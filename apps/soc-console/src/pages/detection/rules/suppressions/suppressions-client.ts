import type { SuppressionBody } from "@soc/service/contract/detection/suppressions/suppressions";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../../app/server/server.ts";

export type Suppression = Wire<Static<typeof SuppressionBody>>;

type Query = Readonly<Record<string, QueryValue>>;

export function createSuppressionsClient(server: Server) {
  return {
    /** Suppressions of one rule, or of all rules. */
    list: (ruleId: string | undefined, query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<Suppression>>(
        ruleId === undefined
          ? "/detections/suppressions"
          : `/detections/rules/${encodeURIComponent(ruleId)}/suppressions`,
        { query, signal },
      ),
    end: (id: string) =>
      server.remove<ChangeResult<{ deleted: boolean }>>(`/detections/suppressions/${encodeURIComponent(id)}`),
  };
}
