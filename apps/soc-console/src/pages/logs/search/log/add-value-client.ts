import type { ChangeResult, ListResponse, Server } from "../../../../app/server/server.ts";

export interface OpenCase {
  id: string;
  title: string;
  status: string;
}

interface AddedValue {
  id: string;
}

const OVER = new Set(["resolved", "closed"]);

/** Open cases, which accept observables. */
export async function listOpenCases(server: Server, signal: AbortSignal): Promise<OpenCase[]> {
  const { items } = await server.get<ListResponse<OpenCase>>("/cases", { query: { limit: 200 }, signal });
  return items.filter(({ status }) => !OVER.has(status));
}

export function addIndicator(server: Server, value: string) {
  return server.post<ChangeResult<AddedValue>>("/iocs", { value, source: "hunt" });
}

export function addObservable(server: Server, caseId: string, observable: { type: string; value: string }) {
  return server.post<ChangeResult<AddedValue>>(`/cases/${caseId}/observables`, { ...observable, source: "hunt" });
}
