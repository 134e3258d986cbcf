import type { Run } from "../../../../app/playbooks/playbooks-client.ts";
import type { QueryValue, Server } from "../../../../app/server/server.ts";
import type { Listed } from "../../../../app/server/wire.ts";

export function createRunsClient(server: Server) {
  return {
    list: (caseId: string, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
      server.get<Listed<Run>>("/soar/executions", { query: { ...query, case_id: caseId }, signal }),
  };
}
