import type { OverviewBody } from "@soc/service/contract/reporting/stats/stats";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { after } from "../app/browser/clock.ts";
import { useApp } from "../app/context/app-context.ts";
import { useLive } from "../app/context/use-live.ts";
import { useMay } from "../app/context/use-session.ts";
import { useLanguage } from "../app/language/language-context.tsx";
import { numberWords } from "../app/language/numbers.ts";
import type { Wire } from "../app/server/wire.ts";
import type { PlaceName } from "./places.ts";

/** The counts change by events, but are read at most once in this time. */
const PERIOD_MS = 15_000;
const COUNTED = new Set(["alert", "case", "approval"]);

/** The numbers in the rail: one request, read again when something counted has changed. */
export function useBadges(): Partial<Record<PlaceName, string | undefined>> {
  const { server } = useApp();
  const { language } = useLanguage();
  const queries = useQueryClient();
  const isReading = useMay("stats:read");
  const waiting = useRef<(() => void) | undefined>(undefined);
  const { data: overview } = useQuery({
    queryKey: ["overview", "badges"],
    queryFn: ({ signal }) => server.get<Wire<OverviewBody>>("/stats/overview", { signal, priority: "prefetch" }),
    enabled: isReading,
    staleTime: PERIOD_MS,
  });
  const { data: inbox } = useQuery({
    queryKey: ["inbox", "count"],
    queryFn: ({ signal }) => server.get<{ unread: number }>("/inbox/count", { signal, priority: "prefetch" }),
    staleTime: PERIOD_MS,
  });
  const readAgain = (key: readonly string[]) => void queries.invalidateQueries({ queryKey: key });

  useLive({
    onEvents: (events) => {
      if (events.some(({ type }) => type === "inbox.changed")) readAgain(["inbox", "count"]);
      const isCounted = events.some(({ type }) => COUNTED.has(type.split(".")[0] ?? ""));
      if (!isCounted || waiting.current) return;
      waiting.current = after(PERIOD_MS, () => {
        waiting.current = undefined;
        readAgain(["overview", "badges"]);
      });
    },
    onReset: () => {
      readAgain(["inbox", "count"]);
      readAgain(["overview", "badges"]);
    },
  });

  const words = (count: number | undefined) => (count ? numberWords(count, language) : undefined);
  return {
    inbox: words(inbox?.unread),
    alerts: words(overview && overview.alerts.by_status.new + overview.alerts.by_status.triaged),
    cases: words(overview?.cases.open),
    approvals: words(overview?.approvals_pending),
  };
}
