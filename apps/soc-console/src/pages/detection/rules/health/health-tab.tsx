import { useQuery } from "@tanstack/react-query";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { listUnwell, TIME_KINDS } from "../../../../app/rule-time/rule-time.ts";
import { RuleTimeBar, RuleTimeTotals } from "../../../../app/rule-time/rule-time-bar.tsx";
import { ruleTimePhrases } from "../../../../app/rule-time/rule-time-phrases.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { EmptyState, Skeleton } from "../../../../design/states.tsx";
import { RuleLink } from "../rule-link.tsx";
import { type RuleHealth, type RulesClient, ruleKeys, useRulesClient } from "../rules-client.ts";
import { healthPhrases } from "./health-phrases.ts";
import { MissingIntervals } from "./missing-intervals.tsx";
import "./health.css";

const PAGE_ROWS = 200;
const MAX_PAGES = 20;
const STALE_MS = 60_000;

/** Loads the health of every enabled rule; of thousands, the newest. */
async function readAll(client: RulesClient, signal: AbortSignal) {
  const items: RuleHealth[] = [];
  let cursor: string | undefined;
  let total = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await client.listHealth({ enabled: true, limit: PAGE_ROWS, cursor }, signal);
    items.push(...read.items);
    total = read.total;
    cursor = read.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, total };
}

/** Rule coverage over time, and the missing intervals. */
export function HealthTab() {
  const words = usePhrases(healthPhrases);
  const { kinds } = usePhrases(ruleTimePhrases);
  const { count } = useNumbers();
  const client = useRulesClient();
  const { data, error, refetch } = useQuery({
    queryKey: ruleKeys.health,
    queryFn: ({ signal }) => readAll(client, signal),
    staleTime: STALE_MS,
  });
  if (!data) return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={8} />;
  const { items, total } = data;
  if (items.length === 0) return <EmptyState title={words.noRules} text={words.noRulesText} />;
  const unwell = listUnwell(items);
  return (
    <div className="health">
      <Panel
        title={words.totals}
        aside={
          total > items.length
            ? fill(words.ofNewest, { shown: items.length, total })
            : count(items.length, words.ofRules)
        }
      >
        <RuleTimeTotals rules={items} />
        <dl className="health-explain">
          {TIME_KINDS.map((kind) => (
            <div key={kind}>
              <dt>{kinds[kind]}</dt>
              <dd>{words.explain[kind]}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      {unwell.length === 0 ? (
        <EmptyState title={words.allWell} text={words.allWellText} />
      ) : (
        <Panel title={count(unwell.length, words.unwell)}>
          <ul className="health-rules">
            {unwell.map((health, at) => (
              <UnwellRule key={health.rule_id} health={health} isOpen={at < MAX_OPEN} />
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

const MAX_OPEN = 3;

function UnwellRule({ health, isOpen }: { health: RuleHealth; isOpen: boolean }) {
  const words = usePhrases(healthPhrases);
  return (
    <li className="health-rule">
      <div className="health-rule-head">
        <RuleLink rule={{ id: health.rule_id, name: health.name }} className="health-rule-name" />
        <span className="health-rule-bar">
          <RuleTimeBar time={health} />
        </span>
      </div>
      {health.last_error !== null && (
        <p className="rules-red">
          {words.lastError}: <SafeText>{health.last_error}</SafeText>
        </p>
      )}
      <MissingIntervals ruleId={health.rule_id} isOpen={isOpen} />
    </li>
  );
}
