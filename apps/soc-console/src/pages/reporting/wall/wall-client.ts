import type { AlertBody } from "@soc/service/contract/alerts/alerts/alerts";
import type { CaseBody } from "@soc/service/contract/cases/cases/cases";
import type { DeviceBody } from "@soc/service/contract/devices/registry/devices";
import type { SourceBody } from "@soc/service/contract/logs/search/sources";
import { OPEN_CASES } from "@soc/service/contract/reporting/attention/attention-filter";
import type { ApprovalBody } from "@soc/service/contract/response/approvals/approvals";
import type { EdrActionRecord } from "@soc/service/contract/response/edr/edr";
import type { Static } from "typebox";
import { NEEDS_ME_FILTER, NEEDS_ME_RANGE } from "../../../app/attention/attention.ts";
import { now } from "../../../app/browser/clock.ts";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";
import { resolveRange } from "../../../app/time/range.ts";
import { toParameters } from "../../casework/alerts/alert-filter.ts";

export type Alert = Wire<Static<typeof AlertBody>>;
export type Case = Wire<Static<typeof CaseBody>>;
export type Approval = Wire<Static<typeof ApprovalBody>>;
export type Device = Wire<DeviceBody>;
export type Source = Wire<SourceBody>;
export type InForce = Wire<EdrActionRecord>;

const MAX_ROWS = 200;
const MAX_SHOWN = 10;

/** The alerts that need attention, most severe first. */
export const readUrgent = (server: Server, username: string, signal: AbortSignal) =>
  server.get<ListResponse<Alert>>("/alerts", {
    query: {
      ...toParameters(NEEDS_ME_FILTER, username),
      from: resolveRange(NEEDS_ME_RANGE, now()).from.toISOString(),
      sort: "-severity",
      limit: MAX_SHOWN,
    },
    signal,
  });

/** The approvals that the user may decide. */
export const readPending = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Approval>>("/approvals", { query: { decidable: true, limit: MAX_ROWS }, signal });

export const readOpenCases = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Case>>("/cases", { query: { status: [...OPEN_CASES], limit: MAX_ROWS }, signal });

export const readUntrusted = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Device>>("/cps/devices", { query: { verdict: "untrusted", limit: MAX_SHOWN }, signal });

export const readSources = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<Source>>("/siem/sources", { query: { limit: MAX_ROWS }, signal });

export const readInForce = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<InForce>>("/edr/actions", { query: { in_force: true, limit: MAX_SHOWN }, signal });
