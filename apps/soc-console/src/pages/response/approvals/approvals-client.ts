import type { DirectoryUserBody } from "@soc/service/contract/identity/users/users";
import type { ApprovalBody, ApprovalDetailBody } from "@soc/service/contract/response/approvals/approvals";
import type { EdrActionRecordBody } from "@soc/service/contract/response/edr/edr";
import type { ExecutionDetailBody } from "@soc/service/contract/response/executions/executions";
import type { PlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";
import type { Start } from "./approval-start.ts";

export type Approval = Wire<Static<typeof ApprovalBody>>;
export type ApprovalDetail = Wire<Static<typeof ApprovalDetailBody>>;
export type Run = Wire<Static<typeof ExecutionDetailBody>>;
export type EdrAction = Wire<Static<typeof EdrActionRecordBody>>;
export type Playbook = Wire<Static<typeof PlaybookBody>>;

/** The change, or its preview in dry_run. */
export type DecisionResult = Approval | { dry_run: boolean; preview: Approval };

export const APPROVALS = "approvals";
const MAX_APPROVALS = 200;

/** Without a status: pending approvals. */
export const readApprovals = (server: Server, status: Approval["status"] | undefined, signal: AbortSignal) =>
  server.get<ListResponse<Approval>>("/approvals", {
    query: { ...(status && { status }), limit: MAX_APPROVALS },
    signal,
  });

export const readOwnApprovals = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Approval>>("/approvals/mine", { query: { limit: MAX_APPROVALS }, signal });

export const readApproval = (server: Server, id: string, signal: AbortSignal) =>
  server.get<ApprovalDetail>(`/approvals/${encodeURIComponent(id)}`, { signal });

/** Values of the approval's missing inputs. */
export type InputValues = Readonly<Record<string, unknown>>;

const toParameters = (chosen: InputValues) => (Object.keys(chosen).length > 0 ? { parameters: chosen } : undefined);

export interface Vote {
  approved: boolean;
  reason: string;
  chosen: InputValues;
}

export const decideApproval = (server: Server, id: string, { approved, reason, chosen }: Vote) =>
  server.post<DecisionResult>(`/approvals/${id}/decide`, {
    approved,
    ...(reason !== "" && { reason }),
    ...toParameters(chosen),
  });

/** Uses an approval. The service takes the approved parameters, so only missing ones are sent. */
export const startApproved = (server: Server, { path }: Start, approval_id: string, chosen: InputValues) =>
  server.post<{ dry_run?: boolean }>(path, toParameters(chosen), { query: { approval_id } });

export const readRun = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Run>(`/soar/executions/${encodeURIComponent(id)}`, { signal });

export const readEdrActions = (server: Server, endpointId: string, signal: AbortSignal) =>
  server.get<ListResponse<EdrAction>>(`/edr/endpoints/${encodeURIComponent(endpointId)}/actions`, { signal });

export const readPlaybook = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Playbook>(`/soar/playbooks/${encodeURIComponent(id)}`, { signal });

export const readPeople = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Static<typeof DirectoryUserBody>>>("/directory/users", {
    query: { active: true, limit: MAX_APPROVALS },
    signal,
  });
