import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Checkbox } from "../../../../design/field.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { selectNeighbours } from "../hunt-query.ts";
import { PartFailed } from "../part-failed.tsx";
import { type Log, readAround, searchKeys } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";
import { LogTime } from "./log-row.tsx";

const MAX_NEIGHBOURS = 100;

/** The logs of the 30 seconds before and after. */
export function LogAround({ log, onOpen }: { log: Log; onOpen: (id: string) => void }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const [isSameHost, setIsSameHost] = useState(log.host !== null);
  const { data, error, refetch } = useQuery({
    queryKey: [...searchKeys.around(log.id), isSameHost],
    queryFn: ({ signal }) => readAround(server, log.id, isSameHost, signal),
  });
  const near = data && selectNeighbours(data, MAX_NEIGHBOURS);
  return (
    <section className="search-around" aria-label={words.around}>
      {log.host !== null && <Checkbox label={words.sameHost} checked={isSameHost} onChange={setIsSameHost} />}
      {error instanceof ApiError && (
        <PartFailed title={words.aroundFailed} error={error} onRetry={() => void refetch()} />
      )}
      {!near && !error && <Skeleton rows={4} />}
      {near && (
        <ol className="search-lines">
          {near.before.map((each) => (
            <Line key={each.id} log={each} onOpen={onOpen} />
          ))}
          <li className="search-line search-line-here" aria-current="true">
            <LogTime at={log.timestamp} />
            <LineText log={log} />
          </li>
          {near.after.map((each) => (
            <Line key={each.id} log={each} onOpen={onOpen} />
          ))}
        </ol>
      )}
      {near?.isCut && <p className="search-partial">{words.aroundCut}</p>}
    </section>
  );
}

function Line({ log, onOpen }: { log: Log; onOpen: (id: string) => void }) {
  return (
    <li>
      <button type="button" className="search-line" onClick={() => onOpen(log.id)}>
        <LogTime at={log.timestamp} />
        <LineText log={log} />
      </button>
    </li>
  );
}

function LineText({ log }: { log: Log }) {
  return (
    <span className="search-cut" dir="ltr">
      <SafeText isMono>{(log.message ?? log.raw).slice(0, 300)}</SafeText>
    </span>
  );
}
