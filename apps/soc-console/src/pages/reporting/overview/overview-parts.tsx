import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { useMay } from "../../../app/context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import { type InForce, type OverviewClient, overviewKeys, type Source } from "./overview-client.ts";
import { OverviewPart } from "./overview-part.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

const MAX_SHOWN = 6;

/** Active isolations, each with its expiry. */
export function InForcePart({ client }: { client: OverviewClient }) {
  const words = usePhrases(overviewPhrases);
  const query = useQuery({
    queryKey: overviewKeys.part("in-force"),
    queryFn: ({ signal }) => client.listInForce(signal),
  });
  return (
    <OverviewPart
      title={words.inForce}
      size="s"
      query={query}
      aside={
        query.data &&
        query.data.total > 0 && (
          <Link to="/runs" search={{ tab: "in-force" }}>
            {query.data.total}
          </Link>
        )
      }
    >
      {({ items }) => (
        <>
          {items.length === 0 && <p className="overview-soft">{words.noneInForce}</p>}
          <ul className="overview-lines">
            {items.slice(0, MAX_SHOWN).map((action) => (
              <InForceLine key={action.action_id} client={client} action={action} />
            ))}
          </ul>
        </>
      )}
    </OverviewPart>
  );
}

function InForceLine({ client, action }: { client: OverviewClient; action: InForce }) {
  const words = usePhrases(overviewPhrases);
  const time = useTime();
  const mode = useMode();
  const queries = useQueryClient();
  const { notify } = useNotices();
  const mayRelease = useMay("edr:manage");
  const [isBusy, setIsBusy] = useState(false);
  const release = async () => {
    setIsBusy(true);
    try {
      const body = await client.release(action.endpoint_id);
      const isWaiting = "status" in body && body.status === "pending_approval";
      const text = "dry_run" in body ? words.releasePreview : isWaiting ? words.releaseWaits : words.released;
      notify({
        tone: "dry_run" in body || isWaiting ? "waiting" : "ok",
        text: fill(text, { host: isolated(action.hostname) }),
      });
      await queries.invalidateQueries({ queryKey: overviewKeys.part("in-force") });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify({ tone: "failed", text: errorWords(error) });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <li>
      <Link to={`/endpoints/${action.endpoint_id}`} className="overview-plain overview-cut">
        <SafeText isMono>{action.hostname}</SafeText>
      </Link>
      <span className="overview-soft">
        {action.release_at ? fill(words.until, { time: isolated(time.time(action.release_at)) }) : words.endless}
      </span>
      {mayRelease && (
        <Button
          size="s"
          isBusy={isBusy}
          disabled={mode === "dummy"}
          title={mode === "dummy" ? words.inDummy : undefined}
          onClick={() => void release()}
        >
          {mode === "dry_run" ? words.previewRelease : words.release} ↗
        </Button>
      )}
    </li>
  );
}

/** Silent sources first, then those with the most events. */
function sortSources(sources: readonly Source[]): Source[] {
  return sources.toSorted(
    (a, b) => Number(b.silent_since !== null) - Number(a.silent_since !== null) || b.events - a.events,
  );
}

export function SourcesPart({ client }: { client: OverviewClient }) {
  const words = usePhrases(overviewPhrases);
  const { count } = useNumbers();
  const { relative, duration } = useTime();
  const query = useQuery({
    queryKey: overviewKeys.part("sources"),
    queryFn: ({ signal }) => client.listSources(signal),
  });
  return (
    <OverviewPart
      title={words.sources}
      size="s"
      query={query}
      aside={query.data && query.data.total > 0 && query.data.total}
    >
      {({ items }) => (
        <>
          {items.length === 0 && <p className="overview-soft">{words.noSources}</p>}
          <ul className="overview-lines">
            {sortSources(items)
              .slice(0, MAX_SHOWN)
              .map(({ source, events, silent_since, last_seen }) => (
                <li key={source}>
                  <Link
                    to="/hunt"
                    search={{ q: `source:"${source.replaceAll(/["\\]/g, String.raw`\$&`)}"` }}
                    className="overview-plain overview-cut"
                  >
                    <SafeText isMono>{source}</SafeText>
                  </Link>
                  {silent_since ? (
                    <span className="overview-red">
                      {fill(words.silent, { time: duration(now().getTime() - Date.parse(silent_since)) })}
                    </span>
                  ) : (
                    <span
                      className="overview-soft"
                      title={last_seen ? fill(words.lastSeen, { time: relative(last_seen) }) : undefined}
                    >
                      {count(events, words.events)}
                    </span>
                  )}
                </li>
              ))}
          </ul>
        </>
      )}
    </OverviewPart>
  );
}

export function RecentCasesPart({ client }: { client: OverviewClient }) {
  const words = usePhrases(overviewPhrases);
  const { relative } = useTime();
  const query = useQuery({
    queryKey: overviewKeys.part("dashboard"),
    queryFn: ({ signal }) => client.readDashboard(signal),
  });
  return (
    <OverviewPart
      title={
        <Link to="/cases" className="overview-plain">
          {words.cases}
        </Link>
      }
      size="s"
      query={query}
    >
      {({ recent_cases }) => (
        <>
          {recent_cases.length === 0 && <p className="overview-soft">{words.noCases}</p>}
          <ul className="overview-lines">
            {recent_cases.slice(0, MAX_SHOWN).map(({ id, title, severity, created_at }) => (
              <li key={id}>
                <SeveritySign severity={severity} label={words.severities[severity]} />
                <Link to={`/cases/${id}/timeline`} className="overview-plain overview-cut">
                  <SafeText>{title}</SafeText>
                </Link>
                <span className="overview-soft">{relative(created_at)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </OverviewPart>
  );
}
