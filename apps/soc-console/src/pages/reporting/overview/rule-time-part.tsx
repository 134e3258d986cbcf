import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { listUnwell } from "../../../app/rule-time/rule-time.ts";
import { RuleTimeTotals } from "../../../app/rule-time/rule-time-bar.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { type OverviewClient, overviewKeys } from "./overview-client.ts";
import { OverviewPart } from "./overview-part.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

const MAX_NAMED = 4;
const HEALTH_STALE_MS = 60_000;

/** How much of their time the rules ran, and the reasons for the rest; together 100 %. */
export function RuleTimePart({ client }: { client: OverviewClient }) {
  const words = usePhrases(overviewPhrases);
  const { count } = useNumbers();
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
        if (items.length === 0) return <p className="overview-soft">{words.noRules}</p>;
        const unwell = listUnwell(items);
        return (
          <>
            <RuleTimeTotals rules={items} />
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
