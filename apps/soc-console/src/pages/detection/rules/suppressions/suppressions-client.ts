import type { SuppressionBody } from "@soc/service/contract/detection/suppressions/suppressions";
import type { Static } from "typebox";
import type { Changed } from "../../../../app/server/changed.ts";
import type { QueryValue, Server } from "../../../../app/server/server.ts";
import type { Listed, Wire } from "../../../../app/server/wire.ts";

export type Suppression = Wire<Static<typeof SuppressionBody>>;

type Query = Readonly<Record<string, QueryValue>>;

export function createSuppressionsClient(server: Server) {
  return {
    /** Of one rule, or of all rules. */
    list: (ruleId: string | undefined, query: Query, signal?: AbortSignal) =>
      server.get<Listed<Suppression>>(
        ruleId === undefined
          ? "/detections/suppressions"
          : `/detections/rules/${encodeURIComponent(ruleId)}/suppressions`,
        { query, signal },
      ),
    end: (id: string) =>
      server.remove<Changed<{ deleted: boolean }>>(`/detections/suppressions/${encodeURIComponent(id)}`),
  };
}
