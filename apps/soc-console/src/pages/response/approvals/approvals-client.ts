import type { DirectoryUserBody } from "@soc/service/contract/identity/users/users";
import type { ApprovalBody, ApprovalDetailBody } from "@soc/service/contract/response/approvals/approvals";
import type { EdrActionRecordBody } from "@soc/service/contract/response/edr/edr";
import type { ExecutionDetailBody } from "@soc/service/contract/response/executions/executions";
import type { PlaybookBody } from "@soc/service/contract/response/playbooks/playbooks";
import type { Static } from "typebox";
import type { Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";
import type { Start } from "./approval-start.ts";

export type Approval = Wire<Static<typeof ApprovalBody>>;
export type ApprovalDetail = Wire<Static<typeof ApprovalDetailBody>>;
export type Run = Wire<Static<typeof ExecutionDetailBody>>;
export type EdrAction = Wire<Static<typeof EdrActionRecordBody>>;
export type Playbook = Wire<Static<typeof PlaybookBody>>;

/** The change, or in dry_run a preview of it. */
export type Decided = Approval | { dry_run: boolean; preview: Approval };

export const APPROVALS = "approvals";
const MAX_APPROVALS = 200;

/** Without a status: those that wait for a decision. */
export const readApprovals = (server: Server, status: Approval["status"] | undefined, signal: AbortSignal) =>
  server.get<Listed<Approval>>("/approvals", { query: { ...(status && { status }), limit: MAX_APPROVALS }, signal });

export const readOwnApprovals = (server: Server, signal: AbortSignal) =>
  server.get<Listed<Approval>>("/approvals/mine", { query: { limit: MAX_APPROVALS }, signal });

export const readApproval = (server: Server, id: string, signal: AbortSignal) =>
  server.get<ApprovalDetail>(`/approvals/${encodeURIComponent(id)}`, { signal });

/** Values of the approval's missing inputs. */
export type Chosen = Readonly<Record<string, unknown>>;

const toParameters = (chosen: Chosen) => (Object.keys(chosen).length > 0 ? { parameters: chosen } : undefined);

export interface Vote {
  approved: boolean;
  reason: string;
  chosen: Chosen;
}

export const decideApproval = (server: Server, id: string, { approved, reason, chosen }: Vote) =>
  server.post<Decided>(`/approvals/${id}/decide`, {
    approved,
    ...(reason !== "" && { reason }),
    ...toParameters(chosen),
  });

/** Uses an approval. The service takes the approved parameters, so only what it lacks is sent. */
export const startApproved = (server: Server, { path }: Start, approval_id: string, chosen: Chosen) =>
  server.post<{ dry_run?: boolean }>(path, toParameters(chosen), { query: { approval_id } });

export const readRun = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Run>(`/soar/executions/${encodeURIComponent(id)}`, { signal });

export const readEdrActions = (server: Server, endpointId: string, signal: AbortSignal) =>
  server.get<Listed<EdrAction>>(`/edr/endpoints/${encodeURIComponent(endpointId)}/actions`, { signal });

export const readPlaybook = (server: Server, id: string, signal: AbortSignal) =>
  server.get<Playbook>(`/soar/playbooks/${encodeURIComponent(id)}`, { signal });

export const readPeople = (server: Server, signal: AbortSignal) =>
  server.get<Listed<Static<typeof DirectoryUserBody>>>("/directory/users", {
    query: { active: true, limit: MAX_APPROVALS },
    signal,
  });
