import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { after } from "../../../app/browser/clock.ts";
import { useLive } from "../../../app/context/app-context.ts";
import type { LiveEvent } from "../../../app/live/live-stream.ts";
import { caseKeys, useCasesClient } from "./cases-client.ts";

/** A burst of events causes one reload. */
const GATHER_MS = 2000;

export function namesCase({ subject_id, subject_type, data }: LiveEvent, id: string): boolean {
  return (subject_type === "case" && subject_id === id) || data.case_id === id;
}

/** Loads the parts of the case page around its tabs, and reloads them when they change. */
export function useCasePage(id: string) {
  const client = useCasesClient();
  const queries = useQueryClient();
  const waiting = useRef<(() => void) | undefined>(undefined);
  const query = useQuery({
    queryKey: caseKeys.one(id),
    queryFn: ({ signal }) => client.page(id, signal),
    placeholderData: (before) => (before?.case.id === id ? before : undefined),
  });
  const readAgain = () => void queries.invalidateQueries({ queryKey: caseKeys.one(id), exact: true });
  useLive({
    onEvents: (events) => {
      if (waiting.current || !events.some((event) => namesCase(event, id))) return;
      waiting.current = after(GATHER_MS, () => {
        waiting.current = undefined;
        readAgain();
      });
    },
    onReset: readAgain,
  });
  useEffect(() => () => waiting.current?.(), []);
  return query;
}
