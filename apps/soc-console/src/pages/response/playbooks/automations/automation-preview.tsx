import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../../app/address/link.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { Leaving } from "../../../../app/playbooks/step-rail.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import type { Bucket } from "../../../../design/charts/bars.ts";
import { Histogram } from "../../../../design/charts/histogram.tsx";
import { Notice, Skeleton } from "../../../../design/states.tsx";
import { automationKeys, type PreviewRequest, useAutomationsClient } from "./automations-client.ts";
import { automationsPhrases } from "./automations-phrases.ts";

const SHORT_ID = 8;
const MAX_SAMPLES = 5;
const CHART_HEIGHT = 48;

/** What an automation would have started. */
export function AutomationPreview(request: PreviewRequest) {
  const words = usePhrases(automationsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const client = useAutomationsClient();
  const mayPreview = useMay("soar:manage", "alerts:read");
  const { data, error, refetch } = useQuery({
    queryKey: automationKeys.preview(request),
    queryFn: ({ signal }) => client.preview(request, signal),
    enabled: mayPreview,
  });
  if (!mayPreview) return null;
  if (!data) return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={3} />;
  const { playbook, matched, started, sample_ids, buckets, from, to, covered_from } = data;
  const bars = buckets.map(
    ({ at, count }): Bucket => ({ at, parts: [{ key: "count", value: count, fill: "var(--accent)" }] }),
  );
  return (
    <section className="automations-preview" aria-label={words.preview}>
      <h3>{words.preview}</h3>
      {matched === 0 ? (
        <p className="soft">{words.noMatch}</p>
      ) : (
        <p>
          <strong>{numbers.count(started, words.wouldStart)}</strong> {numbers.count(matched, words.matched)}
        </p>
      )}
      {matched > 0 && (
        <Histogram
          label={words.preview}
          buckets={bars}
          from={from}
          to={to}
          height={CHART_HEIGHT}
          describe={({ at, parts }) => fill(words.perBar, { time: time.dateTime(at), count: parts[0]?.value ?? 0 })}
          ticks={[<bdi key="from">{time.day(from)}</bdi>, <bdi key="to">{time.day(to)}</bdi>]}
        />
      )}
      {covered_from !== null && <p className="soft">{fill(words.partial, { time: time.dateTime(covered_from) })}</p>}
      {!playbook.enabled && <Notice tone="waiting">{words.disabledPlaybook}</Notice>}
      <p>
        {playbook.needs_approval ? words.needsApproval : words.startsAtOnce}{" "}
        {playbook.leaves_platform && (
          <>
            {words.leaves} <Leaving />
          </>
        )}
      </p>
      {sample_ids.length > 0 && (
        <p className="automations-samples">
          {words.samples}:{" "}
          {sample_ids.slice(0, MAX_SAMPLES).map((id) => (
            <Link key={id} to={`/alerts/${id}`}>
              {id.slice(-SHORT_ID)}
            </Link>
          ))}
        </p>
      )}
    </section>
  );
}
