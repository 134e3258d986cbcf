import type { Changed } from "../../../../app/server/changed.ts";
import type { Server } from "../../../../app/server/server.ts";
import type { Listed } from "../../../../app/server/wire.ts";

export interface OpenCase {
  id: string;
  title: string;
  status: string;
}

interface Added {
  id: string;
}

const OVER = new Set(["resolved", "closed"]);

/** The cases that an observable can still be added to. */
export async function listOpenCases(server: Server, signal: AbortSignal): Promise<OpenCase[]> {
  const { items } = await server.get<Listed<OpenCase>>("/cases", { query: { limit: 200 }, signal });
  return items.filter(({ status }) => !OVER.has(status));
}

export function addIndicator(server: Server, value: string) {
  return server.post<Changed<Added>>("/iocs", { value, source: "hunt" });
}

export function addObservable(server: Server, caseId: string, observable: { type: string; value: string }) {
  return server.post<Changed<Added>>(`/cases/${caseId}/observables`, { ...observable, source: "hunt" });
}
