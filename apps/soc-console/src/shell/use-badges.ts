import { useAttention } from "../app/attention/attention.ts";
import { useLanguage } from "../app/language/language-context.tsx";
import { numberWords } from "../app/language/numbers.ts";
import type { PlaceName } from "./navigation.ts";

/** The counts in the rail. A count that was not read, or that the user may not read, has no badge. */
export function useBadges(): Partial<Record<PlaceName, string | undefined>> {
  const { language } = useLanguage();
  const reading = useAttention();
  if (reading.state !== "read") return {};
  const { inbox, alerts, cases, approvals } = reading.data;
  const words = (count: number | undefined) => (count ? numberWords(count, language) : undefined);
  return {
    inbox: words(inbox?.unread),
    alerts: words(alerts?.total),
    cases: words(cases?.total),
    approvals: words(approvals?.total),
  };
}
