import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Meter } from "../../../design/charts/meter.tsx";
import { type OverviewClient, overviewKeys } from "./overview-client.ts";
import { OverviewPart } from "./overview-part.tsx";
import { overviewPhrases } from "./overview-phrases.ts";
import { listUnwell, sumRuleTime, TIME_KINDS, type TimeKind, toPercentages } from "./rule-time.ts";

const FILLS: Readonly<Record<TimeKind, string>> = {
  ran: "var(--ok)",
  late: "var(--fill-medium)",
  skipped: "var(--fill-high)",
  capped: "var(--fill-low)",
  silent: "var(--fill-info)",
};
const MAX_NAMED = 4;
const HEALTH_STALE_MS = 60_000;

/** How much of the rules' time they ran; the rest is named, and all of it is 100 %. */
export function RuleTimePart({ client }: { client: OverviewClient }) {
  const words = usePhrases(overviewPhrases);
  const { count, number } = useNumbers();
  const query = useQuery({
    queryKey: overviewKeys.part("health"),
    queryFn: ({ signal }) => client.listHealth(signal),
    staleTime: HEALTH_STALE_MS,
  });
  const isPart = query.data !== undefined && query.data.total > query.data.items.length;
  return (
    <OverviewPart
      title={
        <Link to="/detections" search={{ tab: "health" }} className="overview-plain">
          {words.ruleTime}
        </Link>
      }
      size="m"
      query={query}
      aside={isPart && count(query.data?.items.length ?? 0, words.someRules)}
    >
      {({ items }) => {
        const shares = sumRuleTime(items);
        if (!shares) return <p className="overview-soft">{words.noRules}</p>;
        const percentages = toPercentages(TIME_KINDS.map((kind) => shares[kind]));
        const spelled = TIME_KINDS.map((kind, index) => `${words.kinds[kind]} ${number(percentages[index] ?? 0)}%`);
        const unwell = listUnwell(items);
        return (
          <>
            <Meter
              label={spelled.join(", ")}
              parts={TIME_KINDS.map((key) => ({ key, value: shares[key], fill: FILLS[key] }))}
            />
            <ul className="overview-kinds">
              {TIME_KINDS.map((kind, index) => (
                <li key={kind}>
                  <span className="overview-swatch" style={{ background: FILLS[kind] }} />
                  {words.kinds[kind]} <span className="overview-mono">{number(percentages[index] ?? 0)}%</span>
                </li>
              ))}
            </ul>
            {unwell.length === 0 ? (
              <p className="overview-soft">{words.allWell}</p>
            ) : (
              <>
                <Link to="/detections" search={{ tab: "health" }}>
                  {count(unwell.length, words.unwell)}
                </Link>
                <ul className="overview-lines">
                  {unwell.slice(0, MAX_NAMED).map(({ rule_id, name, last_error }) => (
                    <li key={rule_id}>
                      <span className="overview-cut">
                        <SafeText>{name}</SafeText>
                      </span>
                      {last_error && (
                        <span className="overview-red overview-cut">
                          <SafeText>{last_error}</SafeText>
                        </span>
                      )}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        );
      }}
    </OverviewPart>
  );
}
