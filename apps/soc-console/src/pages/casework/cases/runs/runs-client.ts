import type { Run } from "../../../../app/playbooks/playbooks-client.ts";
import type { ListResponse, QueryValue, Server } from "../../../../app/server/server.ts";

export function createRunsClient(server: Server) {
  return {
    list: (caseId: string, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
      server.get<ListResponse<Run>>("/soar/executions", { query: { ...query, case_id: caseId }, signal }),
  };
}
