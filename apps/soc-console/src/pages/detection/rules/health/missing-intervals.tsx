import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { later, now } from "../../../../app/browser/clock.ts";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { TIME_FILLS } from "../../../../app/rule-time/rule-time.ts";
import { ruleTimePhrases } from "../../../../app/rule-time/rule-time-phrases.ts";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { ruleKeys, useRulesClient } from "../rules-client.ts";
import { healthPhrases } from "./health-phrases.ts";
import { findLate, listMissing } from "./missing-time.ts";
import "./health.css";

/** The service returns at most 168 full hours. */
const SPAN_S = 166 * 3600;
const MAX_SHOWN = 50;

/** The intervals of the last days in which a rule did not run, with their reasons. */
export function MissingIntervals({ ruleId, isOpen: isOpenFirst }: { ruleId: string; isOpen: boolean }) {
  const words = usePhrases(healthPhrases);
  const [isOpen, setIsOpen] = useState(isOpenFirst);
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.missing}</summary>
      {isOpen && <Intervals ruleId={ruleId} />}
    </details>
  );
}

function Intervals({ ruleId }: { ruleId: string }) {
  const words = usePhrases(healthPhrases);
  const { kinds } = usePhrases(ruleTimePhrases);
  const { dateTime, duration } = useTime();
  const client = useRulesClient();
  const { data, error, refetch } = useQuery({
    queryKey: ruleKeys.part(ruleId, "hours"),
    queryFn: ({ signal }) => client.readHealth(ruleId, { from: later(now(), -SPAN_S).toISOString() }, signal),
  });
  if (!data) return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={2} />;
  const late = findLate(data);
  const earlier = listMissing(data.hours ?? []).filter(({ kind }) => kind !== "late");
  const missing = late ? [late, ...earlier] : earlier;
  if (missing.length === 0) return <p className="soft">{words.nothingMissing}</p>;
  return (
    <ul className="health-intervals">
      {missing.slice(0, MAX_SHOWN).map(({ kind, from, to, seconds }) => (
        <li key={`${kind} ${from}`}>
          <span className="health-swatch" style={{ background: TIME_FILLS[kind] }} />
          <span className="mono">
            <bdi>{dateTime(from)}</bdi> – <bdi>{dateTime(to)}</bdi>
          </span>
          <span>{kinds[kind]}</span>
          <span className="soft">{fill(words.ofWhich, { duration: duration(seconds * 1000) })}</span>
        </li>
      ))}
    </ul>
  );
}
