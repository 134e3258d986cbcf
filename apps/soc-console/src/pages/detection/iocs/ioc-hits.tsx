import { useQuery } from "@tanstack/react-query";
import { Link } from "../../../app/address/link.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { type Time, useTime } from "../../../app/time/time-context.tsx";
import { Panel } from "../../../design/panel.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { type IocDetail, type IocHit, iocKeys, listHits, listIocAlerts } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

const FIRST_SHOWN = 10;

/** How much of the stored logs was searched for the indicator. */
function useSearchWords({ searched_at, search_is_capped }: IocDetail, time: Time): string {
  const words = usePhrases(iocsPhrases);
  if (searched_at === null) return words.notSearched;
  return fill(search_is_capped ? words.searchedCapped : words.searched, { time: time.dateTime(searched_at) });
}

/** The logs that contain the indicator, newest first. */
export function IocHits({ ioc }: { ioc: IocDetail }) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: [...iocKeys.all, "hits", ioc.id],
    queryFn: ({ signal }) => listHits(server, ioc.id, { limit: FIRST_SHOWN }, signal),
  });
  const searched = useSearchWords(ioc, time);
  return (
    <Panel title={words.hitsInLogs} aside={numbers.number(data?.total ?? ioc.hits)}>
      <p className="soft">{searched}</p>
      {error && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data?.total === 0 && <p>{words.noHits}</p>}
      {data && data.total > 0 && <Hits first={data.items} total={data.total} ioc={ioc} />}
    </Panel>
  );
}

function Hits({ first, total, ioc }: { first: readonly IocHit[]; total: number; ioc: IocDetail }) {
  const words = usePhrases(iocsPhrases);
  const time = useTime();
  const mayHunt = useMay("siem:read");
  return (
    <>
      <ul className="iocs-rows">
        {first.map((hit) => (
          <li key={hit.id}>
            <time className="mono" dateTime={hit.seen_at}>
              {time.dateTime(hit.seen_at)}
            </time>
            {mayHunt ? (
              <Link to={`/hunt/log/${hit.log_id}`}>
                <SafeText isMono>{hit.log_id}</SafeText>
              </Link>
            ) : (
              <SafeText isMono>{hit.log_id}</SafeText>
            )}
          </li>
        ))}
      </ul>
      {total > first.length && <p className="soft">{fill(words.firstOf, { shown: first.length, total })}</p>}
      {mayHunt && total > first.length && (
        <Link to="/hunt" search={{ q: `"${ioc.value}"`, from: "-30d" }}>
          {words.allInHunt}
        </Link>
      )}
    </>
  );
}

/** The alerts that contain the indicator. */
export function IocAlerts({ ioc }: { ioc: IocDetail }) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: iocKeys.alerts(ioc.id),
    queryFn: ({ signal }) => listIocAlerts(server, ioc.value, signal),
  });
  const all = (
    <Link to="/alerts" search={{ q: `ioc:"${ioc.value}"`, from: "-30d" }}>
      {numbers.number(data?.total ?? 0)}
    </Link>
  );
  return (
    <Panel title={words.alerts} aside={data && data.total > 0 ? all : undefined}>
      {error && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data?.total === 0 && <p>{words.noAlerts}</p>}
      <ul className="iocs-rows">
        {data?.items.map((alert) => (
          <li key={alert.id}>
            <SeveritySign severity={alert.severity} label={words.severities[alert.severity]} />
            <Link to={`/alerts/${alert.id}`}>
              <SafeText>{alert.title}</SafeText>
            </Link>
            <time dateTime={alert.last_seen} title={time.dateTime(alert.last_seen)}>
              {time.relative(alert.last_seen)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
