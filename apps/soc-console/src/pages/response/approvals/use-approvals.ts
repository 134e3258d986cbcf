import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useApp, useLive } from "../../../app/context/app-context.ts";
import { type KeptRow, keepRows, soonestFirst } from "./approval-state.ts";
import { APPROVALS, type Approval, readApproval, readApprovals, readOwnApprovals } from "./approvals-client.ts";

/** Values of `?status=`; `decided` is every outcome. */
export const VIEWS = ["pending", "decided", "approved", "rejected", "timeout", "mine"] as const;
export type View = (typeof VIEWS)[number];

const OUTCOMES = ["approved", "rejected", "timeout"] as const;

export interface ApprovalsReading {
  rows: readonly KeptRow[];
  total: number;
  isFirst: boolean;
  error: unknown;
  readAgain: () => void;
}

/** The number of pending approvals, read once for the tab and the title. */
export function usePendingCount(mayDecide: boolean): number | undefined {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: [APPROVALS, "list", "pending"],
    queryFn: ({ signal }) => readApprovals(server, undefined, signal),
    enabled: mayDecide,
  });
  return data?.total;
}

/** The rows of a view. They keep their place while the view is shown. */
export function useApprovals(view: View): ApprovalsReading {
  const { server } = useApp();
  const [rows, setRows] = useState<readonly KeptRow[]>([]);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [APPROVALS, "list", view],
    queryFn: async ({ signal }) => {
      if (view === "mine") return readOwnApprovals(server, signal);
      if (view !== "decided") return readApprovals(server, view === "pending" ? undefined : view, signal);
      const lists = await Promise.all(OUTCOMES.map((status) => readApprovals(server, status, signal)));
      return {
        items: lists.flatMap(({ items }) => items).toSorted(latestFirst),
        total: lists.reduce((sum, { total }) => sum + total, 0),
      };
    },
  });
  useEffect(() => {
    if (!data) return;
    const listed = view === "pending" ? soonestFirst(data.items) : data.items;
    setRows((before) => (view === "pending" ? keepRows(before, listed) : keepRows([], listed)));
  }, [data, view]);
  return { rows, total: data?.total ?? 0, isFirst: isPending, error, readAgain: () => void refetch() };
}

function latestFirst(a: Approval, b: Approval): number {
  return Date.parse(b.decided_at ?? b.expires_at) - Date.parse(a.decided_at ?? a.expires_at);
}

export function useApproval(id: string) {
  const { server } = useApp();
  return useQuery({
    queryKey: [APPROVALS, "one", id],
    queryFn: ({ signal }) => readApproval(server, id, signal),
  });
}

/** Reloads what an event concerns: the lists, and the open approval. */
export function useLiveApprovals(shownId: string | undefined): void {
  const queries = useQueryClient();
  const readAgain = (...key: string[]) => void queries.invalidateQueries({ queryKey: [APPROVALS, ...key] });
  useLive({
    onEvents: (events) => {
      const about = events.filter(({ type }) => type.startsWith("approval."));
      if (about.length > 0) readAgain("list");
      if (shownId !== undefined && about.some(({ subject_id }) => subject_id === shownId)) readAgain("one", shownId);
      if (events.some(({ type }) => /^(?:execution|step|edr|endpoint)\./.test(type))) readAgain("run");
    },
    onReset: () => readAgain(),
  });
}
