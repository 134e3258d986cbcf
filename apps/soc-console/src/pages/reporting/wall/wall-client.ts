import type { AlertBody } from "@soc/service/contract/alerts/alerts/alerts";
import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { DeviceBody } from "@soc/service/contract/devices/registry/devices";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import type { ApprovalBody } from "@soc/service/contract/response/approvals/approvals";
import type { EdrActionRecord } from "@soc/service/contract/response/edr/edr";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Alert = Wire<Static<typeof AlertBody>>;
export type Case = Wire<Static<typeof CaseBody>>;
export type Approval = Wire<Static<typeof ApprovalBody>>;
export type Device = Wire<DeviceBody>;
export type Source = Wire<SourceBody>;
export type InForce = Wire<EdrActionRecord>;

const OPEN_ALERTS = ["new", "triaged", "investigating"];
const OPEN_CASES = ["open", "investigating", "pending_approval", "contained"];
const MAX_ROWS = 200;
const MAX_SHOWN = 10;

export const readUrgent = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Alert>>("/alerts", {
    query: { severity: "critical", status: OPEN_ALERTS, assignee: "none", limit: MAX_SHOWN },
    signal,
  });

export const readPending = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Approval>>("/approvals", { query: { limit: MAX_ROWS }, signal });

export const readOpenCases = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Case>>("/cases", { query: { status: OPEN_CASES, limit: MAX_ROWS }, signal });

export const readUntrusted = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Device>>("/cps/devices", { query: { verdict: "untrusted", limit: MAX_SHOWN }, signal });

export const readSources = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Source>>("/siem/sources", { query: { limit: MAX_ROWS }, signal });

export const readInForce = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<InForce>>("/edr/actions", { query: { in_force: true, limit: MAX_SHOWN }, signal });
