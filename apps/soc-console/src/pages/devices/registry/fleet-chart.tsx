import { useMemo } from "react";
import { now } from "../../../app/browser/clock.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Bucket } from "../../../design/charts/bars.ts";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { type Attestation, MAX_ATTESTATIONS, VERDICTS, type Verdict } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { groupByHour } from "./verdicts.ts";

const FILLS: Readonly<Record<Verdict, string>> = {
  trusted: "var(--ok)",
  untrusted: "var(--fill-critical)",
  stale: "var(--waiting)",
  failed: "var(--fill-high)",
};
const HOUR_MS = 3_600_000;

function isVerdict(key: string): key is Verdict {
  return key in FILLS;
}

/** Verdicts of the last 24 hours. Above the limit, it shows how far back the data goes. */
export function FleetChart({ attestations }: { attestations: readonly Attestation[] }) {
  const words = usePhrases(devicesPhrases);
  const { number } = useNumbers();
  const time = useTime();
  const hours = useMemo(() => groupByHour(attestations, now()), [attestations]);
  const buckets = useMemo<Bucket[]>(
    () =>
      hours.map(({ at, counts }) => ({
        at,
        parts: VERDICTS.toReversed().map((verdict) => ({ key: verdict, value: counts[verdict], fill: FILLS[verdict] })),
      })),
    [hours],
  );
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return null;
  const describe = ({ at, parts }: Bucket) =>
    [
      time.dateTime(at),
      ...parts.flatMap(({ key, value }) =>
        value > 0 && isVerdict(key) ? [`${words.verdicts[key]} ${number(value)}`] : [],
      ),
    ].join("\n");
  const oldest = attestations.at(-1)?.at;
  const isPart = attestations.length >= MAX_ATTESTATIONS && oldest !== undefined && oldest > first.at;
  return (
    <section className="devices-chart" aria-label={words.byHour}>
      <p className="soft">{words.byHour}</p>
      <Histogram
        label={words.byHour}
        buckets={buckets}
        from={first.at}
        to={new Date(Date.parse(last.at) + HOUR_MS).toISOString()}
        height={40}
        describe={describe}
      />
      {isPart && (
        <p className="soft">
          {fill(words.byHourPart, { count: attestations.length, time: isolated(time.dateTime(oldest)) })}
        </p>
      )}
    </section>
  );
}
