import type {
  InvestigationBody,
  InvestigationDetailBody,
  QueueBody,
  StatedFinding,
  TranscriptBody,
} from "@soc/service/contract/assistants/runs/runs";
import type { Static } from "typebox";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export type Investigation = Wire<InvestigationBody>;
export type InvestigationDetail = Wire<InvestigationDetailBody>;
export type Finding = Wire<StatedFinding>;
export type Transcript = Wire<Static<typeof TranscriptBody>>;
export type Step = Transcript["steps"][number];
export type Queue = Wire<QueueBody>;

type Query = Readonly<Record<string, QueryValue>>;

export interface InvestigateRequest {
  alert_context: Readonly<Record<string, string>>;
  has_cps_assets?: boolean;
  severity?: Investigation["severity"];
}

export const STATUSES = ["queued", "running", "completed", "failed", "cancelled"] as const;
export const VERDICTS = ["malicious", "inconclusive", "benign"] as const;

export const investigationKeys = {
  list: (query: Query) => ["investigations", "list", query],
  queue: ["investigations", "queue"],
  one: (id: string) => ["investigations", "one", id],
  transcript: (id: string) => ["investigations", "transcript", id],
  log: (id: string) => ["logs", "one", id],
};

/** Responds when the investigation ends, or after eight seconds with its current state. */
const INVESTIGATE_TIMEOUT_MS = 30_000;

export function isOpen({ status }: Pick<Investigation, "status">): boolean {
  return status === "queued" || status === "running";
}

const path = (id: string) => `/agents/investigations/${encodeURIComponent(id)}`;

export function createInvestigationsClient(server: Server) {
  return {
    list: (query: Query, signal: AbortSignal) =>
      server.get<ListResponse<Investigation>>("/agents/investigations", { query, signal }),
    queue: (signal: AbortSignal) => server.get<Queue>("/agents/investigations/queue", { signal }),
    get: (id: string, signal: AbortSignal) => server.get<InvestigationDetail>(path(id), { signal }),
    transcript: (id: string, signal: AbortSignal) => server.get<Transcript>(`${path(id)}/transcript`, { signal }),
    start: (request: InvestigateRequest) =>
      server.post<ChangeResult<InvestigationDetail>>("/agents/investigate", request, {
        timeoutMs: INVESTIGATE_TIMEOUT_MS,
      }),
    cancel: (id: string) => server.post<ChangeResult<InvestigationDetail>>(`${path(id)}/cancel`),
  };
}
