import type { ExecuteAnswer, ExecutionBody } from "@soc/service/contract/response/executions/executions";
import type { PlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { QueryValue, Server } from "../../../../app/server/server.ts";
import type { Listed, Wire } from "../../../../app/server/wire.ts";

export type Run = Wire<Static<typeof ExecutionBody>>;
export type Playbook = Wire<Static<typeof PlaybookBody>>;
export type PlaybookInput = Playbook["inputs"][number];
export type Executed = Wire<Static<typeof ExecuteAnswer>>;
export type RunPreview = Extract<Executed, { preview: unknown }>["preview"];
export type Started = Exclude<Executed, { preview: unknown }>;

export interface RunRequest {
  case_id: string;
  alert_id?: string;
  parameters: Record<string, unknown>;
  dry_run?: true;
}

export function createRunsClient(server: Server) {
  return {
    list: (caseId: string, query: Readonly<Record<string, QueryValue>>, signal: AbortSignal) =>
      server.get<Listed<Run>>("/soar/executions", { query: { ...query, case_id: caseId }, signal }),
    playbooks: (signal: AbortSignal) =>
      server.get<Listed<Playbook>>("/soar/playbooks", { query: { enabled: true, limit: 200 }, signal }),
    execute: (playbookId: string, request: RunRequest, approvalId?: string) =>
      server.post<Executed>(`/soar/playbooks/${encodeURIComponent(playbookId)}/execute`, request, {
        query: { approval_id: approvalId },
      }),
  };
}

/** The value of a parameter as its type wants it; undefined when the field is empty. */
export function parseInput({ type }: Pick<PlaybookInput, "type">, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (type === "number") return Number(trimmed);
  if (type === "boolean") return trimmed === "true";
  if (type === "list")
    return trimmed
      .split(/[\n,]/)
      .map((item) => item.trim())
      .filter(Boolean);
  return trimmed;
}
