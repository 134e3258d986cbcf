import type { AttentionBody } from "@soc/service/contract/reporting/attention/attention";
import {
  ATTENTION_DAYS,
  LEAST_SEVERITY,
  OPEN_ALERTS,
} from "@soc/service/contract/reporting/attention/attention-filter";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { after } from "../browser/clock.ts";
import { useApp, useLive } from "../context/app-context.ts";
import { type Reading, toReading } from "../reading/reading.ts";
import type { Server, Wire } from "../server/server.ts";

export type Attention = Wire<AttentionBody>;

/** The filter of the alerts that the service counts as needing attention. */
export const NEEDS_ME_FILTER = `status:(${OPEN_ALERTS.join(" OR ")}) assignee:(me OR none) severity:>=${LEAST_SEVERITY}`;
export const NEEDS_ME_RANGE = { from: `-${ATTENTION_DAYS}d` };

export const ATTENTION_KEY = ["attention"];
const PATH = "/stats/attention";
/** Events change the counts, but they are read at most once in this time. */
const PERIOD_MS = 5000;
const COUNTED = new Set(["alert", "case", "approval", "inbox"]);

/** The counts as the first request of the console reads them. */
export const attentionQuery = (server: Server) => ({
  queryKey: ATTENTION_KEY,
  queryFn: ({ signal }: { signal: AbortSignal }) => server.get<Attention>(PATH, { signal }),
  staleTime: PERIOD_MS,
  retry: false,
});

/** What needs the user. All parts and all tabs of the console share one request. */
export function useAttention(): Reading<Attention> {
  const { server, sharedReads } = useApp();
  const query = useQuery({
    ...attentionQuery(server),
    queryFn: ({ signal }) => sharedReads.read<Attention>(PATH, signal),
  });
  return toReading(query);
}

/** Reads the counts again when a counted record changes. Call it once, in the frame. */
export function useLiveAttention(): void {
  const queries = useQueryClient();
  const waiting = useRef<(() => void) | undefined>(undefined);
  const readAgain = () => void queries.invalidateQueries({ queryKey: ATTENTION_KEY });
  useLive({
    onEvents: (events) => {
      if (waiting.current || !events.some(({ type }) => COUNTED.has(type.split(".")[0] ?? ""))) return;
      waiting.current = after(PERIOD_MS, () => {
        waiting.current = undefined;
        readAgain();
      });
    },
    onReset: readAgain,
  });
  useEffect(() => () => waiting.current?.(), []);
}
