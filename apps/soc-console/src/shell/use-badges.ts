import type { OverviewBody } from "@soc/service/contract/reporting/stats/stats";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { after } from "../app/browser/clock.ts";
import { useApp, useLive, useMay } from "../app/context/app-context.ts";
import { useLanguage } from "../app/language/language-context.tsx";
import { numberWords } from "../app/language/numbers.ts";
import type { Wire } from "../app/server/server.ts";
import type { PlaceName } from "./navigation.ts";

/** Events change the counts, but they are read at most once in this time. */
const PERIOD_MS = 15_000;
const COUNTED = new Set(["alert", "case", "approval"]);

/** The counts in the rail: one request, repeated when a counted record changes. */
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
