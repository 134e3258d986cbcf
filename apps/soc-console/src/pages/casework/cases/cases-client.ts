import type { AlertBody, LinkedAlerts } from "@soc/service/contract/alerts/alerts/alerts";
import type { StoredCaseFileBody } from "@soc/service/contract/cases/case-files/case-files";
import type { MergedBody } from "@soc/service/contract/cases/case-merges/case-merges";
import type { CaseTemplateBody } from "@soc/service/contract/cases/case-templates/case-templates";
import type {
  CommentBody,
  CreateTaskRequest,
  CustodyRequest,
  EvidenceBody,
  EvidenceRequest,
  ObservableBody,
  ObservableRequest,
  TaskBody,
  TimelineEntryBody,
  UpdateObservableRequest,
  UpdateTaskRequest,
} from "@soc/service/contract/cases/cases/case-items";
import type { CaseBody, CreateCaseRequest, UpdateCaseRequest } from "@soc/service/contract/cases/cases/cases";
import type { DirectoryUserBody } from "@soc/service/contract/identity/users/users";
import type { CasePageBody } from "@soc/service/contract/reporting/pages/pages";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useApp } from "../../../app/context/app-context.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";
import { readBatch } from "./batch.ts";

const STALE_MS = 300_000;

export function useCasesClient(): CasesClient {
  const { server } = useApp();
  return useMemo(() => createCasesClient(server), [server]);
}

/** The users to whom a case or a task can be assigned. */
export function usePeople(isWanted = true): readonly DirectoryUser[] {
  const client = useCasesClient();
  const { data } = useQuery({
    queryKey: caseKeys.people,
    queryFn: ({ signal }) => client.people(signal),
    staleTime: STALE_MS,
    enabled: isWanted,
  });
  return data?.items ?? [];
}

export type Case = Wire<Static<typeof CaseBody>>;
export type CaseStatus = Case["status"];
export type CasePage = Wire<Static<typeof CasePageBody>>;
export type CaseTemplate = Wire<Static<typeof CaseTemplateBody>>;
export type CaseAlert = Wire<Static<typeof AlertBody>>;
export type TimelineEntry = Wire<Static<typeof TimelineEntryBody>>;
export type Comment = Wire<Static<typeof CommentBody>>;
export type Observable = Wire<Static<typeof ObservableBody>>;
export type Evidence = Wire<Static<typeof EvidenceBody>>;
export type StoredCaseFile = Wire<Static<typeof StoredCaseFileBody>>;
export type Task = Wire<Static<typeof TaskBody>>;
export type MergeResult = Wire<Static<typeof MergedBody>>;
export type DirectoryUser = Wire<DirectoryUserBody>;

export const caseKeys = {
  list: (key: string) => ["cases", "list", key] as const,
  board: (key: string) => ["cases", "list", "board", key] as const,
  one: (id: string) => ["cases", "one", id] as const,
  part: (id: string, part: string) => ["cases", "one", id, part] as const,
  templates: ["case-templates", "list"] as const,
  people: ["directory", "list"] as const,
};

export const CASE_STATUSES: readonly CaseStatus[] = [
  "open",
  "investigating",
  "pending_approval",
  "contained",
  "resolved",
  "closed",
];
export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;

/** The version of a case for If-Match, derived from its last change as the service does. */
export function toEtag({ updated_at }: Pick<Case, "updated_at">): string {
  return `"${updated_at}"`;
}

type Query = Readonly<Record<string, QueryValue>>;

export function createCasesClient(server: Server) {
  const below = (id: string, rest = "") => `/cases/${encodeURIComponent(id)}${rest}`;
  const list =
    <Item>(rest: string) =>
    (id: string, query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<Item>>(below(id, rest), { query, signal });

  return {
    list: (query: Query, signal?: AbortSignal) => server.get<ListResponse<Case>>("/cases", { query, signal }),
    /** The first cases of each column, in one request. */
    board: (queries: readonly string[], signal?: AbortSignal) =>
      readBatch<ListResponse<Case>>(
        server,
        queries.map((query) => `/cases?${query}`),
        signal,
      ),
    page: (id: string, signal?: AbortSignal) => server.get<CasePage>(below(id, "/full"), { signal }),
    history: (id: string) =>
      server.get<ListResponse<NonNullable<CasePage["history"]>[number]>>("/activity", {
        query: { subject_type: "case", subject_id: id, limit: 50 },
      }),
    create: (request: CreateCaseRequest) => server.post<ChangeResult<Case>>("/cases", request),
    update: (id: string, request: UpdateCaseRequest, ifMatch?: string) =>
      server.patch<ChangeResult<Case>>(below(id), request, { ifMatch }),
    merge: (id: string, from: readonly string[]) =>
      server.post<ChangeResult<MergeResult>>(below(id, "/merge"), { from }),
    templates: (signal?: AbortSignal) =>
      server.get<ListResponse<CaseTemplate>>("/case-templates", { query: { limit: 200 }, signal }),
    people: (signal?: AbortSignal) =>
      server.get<ListResponse<DirectoryUser>>("/directory/users", { query: { limit: 200 }, signal }),

    timeline: list<TimelineEntry>("/timeline"),
    comments: list<Comment>("/comments"),
    evidence: list<Evidence>("/evidence"),
    observables: list<Observable>("/observables"),
    tasks: list<Task>("/tasks"),

    comment: (id: string, body: string) => server.post<ChangeResult<Comment>>(below(id, "/comments"), { body }),
    linkAlerts: (id: string, alert_ids: readonly string[]) =>
      server.post<ChangeResult<LinkedAlerts>>(below(id, "/alerts"), { alert_ids }),
    unlinkAlert: (id: string, alertId: string) =>
      server.remove<ChangeResult<CaseAlert>>(below(id, `/alerts/${encodeURIComponent(alertId)}`)),
    registerEvidence: (id: string, request: EvidenceRequest) =>
      server.post<ChangeResult<Evidence>>(below(id, "/evidence"), request),
    recordCustody: (id: string, evidenceId: string, request: CustodyRequest) =>
      server.post<ChangeResult<Evidence>>(below(id, `/evidence/${encodeURIComponent(evidenceId)}/custody`), request),
    addObservable: (id: string, request: ObservableRequest) =>
      server.post<ChangeResult<Observable>>(below(id, "/observables"), request),
    editObservable: (id: string, itemId: string, request: UpdateObservableRequest) =>
      server.patch<ChangeResult<Observable>>(below(id, `/observables/${encodeURIComponent(itemId)}`), request),
    removeObservable: (id: string, itemId: string) =>
      server.remove<ChangeResult<{ deleted: boolean }>>(below(id, `/observables/${encodeURIComponent(itemId)}`)),
    addTask: (id: string, request: CreateTaskRequest) => server.post<ChangeResult<Task>>(below(id, "/tasks"), request),
    editTask: (id: string, task: Pick<Task, "id" | "updated_at">, request: UpdateTaskRequest) =>
      server.patch<ChangeResult<Task>>(below(id, `/tasks/${encodeURIComponent(task.id)}`), request, {
        ifMatch: toEtag(task),
      }),
    removeTask: (id: string, taskId: string) =>
      server.remove<ChangeResult<{ deleted: boolean }>>(below(id, `/tasks/${encodeURIComponent(taskId)}`)),
  };
}

export type CasesClient = ReturnType<typeof createCasesClient>;
