import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SettingsPage } from "../../../app/settings/settings-page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Panel } from "../../../design/panel.tsx";
import { Notice, Skeleton } from "../../../design/states.tsx";
import { readHealth } from "./health-client.ts";
import { HealthFacts } from "./health-facts.tsx";
import { type HealthPart, listHealthParts } from "./health-parts.ts";
import { healthPhrases } from "./health-phrases.ts";
import "./health.css";

const PERIOD_MS = 15_000;

/** The health of each part of the platform, with instructions. */
export function HealthPage() {
  const words = usePhrases(healthPhrases);
  const time = useTime();
  const { server } = useApp();
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => readHealth(server, signal),
    refetchInterval: PERIOD_MS,
  });
  const again = () => void refetch();
  useCommands([{ id: "health.again", label: words.again, group: words.parts, keys: ["r"], run: again }]);
  return (
    <SettingsPage
      tab="system"
      tools={
        <>
          {data && <span className="soft">{fill(words.checked, { time: time.time(dataUpdatedAt) })}</span>}
          <Button keys={["R"]} isBusy={isFetching} onClick={again}>
            {words.again}
          </Button>
        </>
      }
    >
      {!data && (error ? <FailedPart error={error} onRetry={again} /> : <Skeleton rows={8} />)}
      {data && (
        <div className="health">
          <Notice tone={data.status === "ok" ? "ok" : "failed"}>
            {data.status === "ok" ? words.ok : words.degraded}
          </Notice>
          <Panel title={words.parts}>
            <ul className="health-parts">
              {listHealthParts(data).map((part) => (
                <PartLine key={part.name} part={part} />
              ))}
            </ul>
          </Panel>
        </div>
      )}
      <HealthFacts />
    </SettingsPage>
  );
}

function PartLine({ part }: { part: HealthPart }) {
  const words = usePhrases(healthPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { name, state, tone, restarts, lagMs, offsetMs, missing, alarm } = part;
  const advice = words.advice[name][state];
  return (
    <li className="health-part">
      <div>
        <p className="health-name">{words.names[name]}</p>
        <p className="soft">{words.jobs[name]}</p>
      </div>
      <div>
        <p className="health-state">
          <Badge tone={tone}>{words.states[state]}</Badge>
          {lagMs !== undefined && <span className="soft">{fill(words.lag, { duration: time.duration(lagMs) })}</span>}
          {offsetMs !== undefined && (
            <span className="soft">{fill(words.offset, { duration: time.duration(offsetMs) })}</span>
          )}
          {restarts && <span>{numbers.count(restarts.count, words.restarts)}</span>}
        </p>
        {restarts?.reason && (
          <p className="soft">
            <SafeText>{fill(words.lastReason, { reason: restarts.reason })}</SafeText>
          </p>
        )}
        {missing && (
          <p className="soft">
            <SafeText>{fill(words.missing, { names: missing.join(", ") })}</SafeText>
          </p>
        )}
        {alarm !== undefined && (
          <p className="health-alarm">
            <SafeText>{alarm}</SafeText>
          </p>
        )}
        {advice !== undefined && <p>{advice}</p>}
      </div>
    </li>
  );
}
