import type {
  ExecuteAnswer,
  ExecutionBody,
  ExecutionDetailBody,
} from "@soc/service/contract/response/executions/executions";
import type { ActionBody, ActionsBody } from "@soc/service/contract/response/playbooks/actions";
import type { PlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../server/server.ts";

export type Playbook = Wire<Static<typeof PlaybookBody>>;
export type PlaybookStep = Playbook["steps"][number];
export type PlaybookInput = Playbook["inputs"][number];
export type PlaybookAction = Wire<Static<typeof ActionBody>>;
export type Run = Wire<Static<typeof ExecutionBody>>;
export type RunDetail = Wire<Static<typeof ExecutionDetailBody>>;
export type RunStep = RunDetail["steps"][number];
export type RunStatus = Run["status"];
export type ExecuteResult = Wire<Static<typeof ExecuteAnswer>>;
export type RunPreview = Extract<ExecuteResult, { preview: unknown }>["preview"];
export type StartedExecution = Exclude<ExecuteResult, { preview: unknown }>;

/** In dry_run the service answers with a preview and starts nothing. */
export function isPreview(answer: ExecuteResult): answer is Extract<ExecuteResult, { preview: unknown }> {
  return "preview" in answer;
}

export interface RunRequest {
  case_id?: string | undefined;
  alert_id?: string | undefined;
  parameters: Record<string, unknown>;
  dry_run?: true;
}

export const playbookKeys = {
  all: ["playbooks"] as const,
  actions: ["playbooks", "actions"] as const,
  list: (name: string) => ["playbooks", "list", name] as const,
  one: (id: string, ...part: readonly string[]) => ["playbooks", "one", id, ...part] as const,
};

const MAX_PLAYBOOKS = 200;

export const readActions = (server: Server, signal: AbortSignal) =>
  server.get<Wire<Static<typeof ActionsBody>>>("/soar/actions", { signal });

export const readPlaybook = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Playbook>(`/soar/playbooks/${encodeURIComponent(id)}`, { signal });

export const listEnabled = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Playbook>>("/soar/playbooks", { query: { enabled: true, limit: MAX_PLAYBOOKS }, signal });

/** Starts a playbook, requests an approval if it is critical, or only previews it. */
export const executePlaybook = (server: Server, id: string, request: RunRequest, approvalId?: string) =>
  server.post<ExecuteResult>(`/soar/playbooks/${encodeURIComponent(id)}/execute`, request, {
    query: { approval_id: approvalId },
  });
