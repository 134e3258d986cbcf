import type { AddressSearch } from "../../../app/address/search.ts";
import { CASE_STATUSES, type Case, SEVERITIES } from "./cases-client.ts";

export const SLA_STATES = ["ok", "near", "breached", "met"] as const;
export type SlaState = (typeof SLA_STATES)[number];

const SORTS = ["-updated_at", "-created_at", "-severity"] as const;
export type CaseSort = (typeof SORTS)[number];

/** The case filter in the address. */
export interface CasesFilter {
  q: string;
  status: readonly string[];
  severity: readonly string[];
  assignee: string;
  tag: string;
  /** The service has no such filter: the page applies it per row. */
  sla: SlaState | undefined;
  sort: CaseSort;
}

const OPEN_STATUSES = CASE_STATUSES.filter((status) => status !== "closed" && status !== "resolved");
const MAX_Q = 500;

function listKnown(text: string | undefined, known: readonly string[]): string[] {
  return (text ?? "").split(",").filter((value) => known.includes(value));
}

/** Without a status, the list shows open cases; `status=any` shows all. */
export function parseFilter(search: AddressSearch): CasesFilter {
  return {
    q: (search.q ?? "").slice(0, MAX_Q),
    status: search.status === undefined ? OPEN_STATUSES : listKnown(search.status, CASE_STATUSES),
    severity: listKnown(search.severity, SEVERITIES),
    assignee: search.assignee ?? "",
    tag: search.tag ?? "",
    sla: SLA_STATES.find((state) => state === search.sla),
    sort: SORTS.find((sort) => sort === search.sort) ?? "-updated_at",
  };
}

/** The request parameters. On the board, each column has its own statuses. */
export function toQuery({ q, status, severity, assignee, tag, sort }: CasesFilter) {
  return {
    q: q || undefined,
    status: status.length > 0 ? status : undefined,
    severity: severity.length > 0 ? severity : undefined,
    assignee: assignee || undefined,
    tag: tag || undefined,
    sort,
  };
}

export function matchesSla({ sla }: Pick<CasesFilter, "sla">, record: Pick<Case, "sla">): boolean {
  return sla === undefined || record.sla?.state === sla;
}

export function nextSort(sort: CaseSort): CaseSort {
  return SORTS[(SORTS.indexOf(sort) + 1) % SORTS.length] ?? "-updated_at";
}

/** Whether any filter is set, apart from the default that hides closed cases. */
export function isFiltered({ q, severity, assignee, tag, sla }: CasesFilter): boolean {
  return q !== "" || severity.length > 0 || assignee !== "" || tag !== "" || sla !== undefined;
}
