import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { fill } from "../../../app/language/phrases.ts";
import { ApiError } from "../../../app/server/api-error.ts";
import { errorWords } from "../../../app/server/error-words.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Panel } from "../../../design/panel.tsx";
import { ErrorState, Skeleton } from "../../../design/states.tsx";
import { overviewPhrases } from "./overview-phrases.ts";

export interface OverviewPartProps<Data> {
  title: ReactNode;
  aside?: ReactNode;
  size: "l" | "m" | "s";
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** A part of the overview with a fate of its own: it keeps what it has, says how old that is, and offers to try again. */
export function OverviewPart<Data>({ title, aside, size, query, children }: OverviewPartProps<Data>) {
  const words = usePhrases(overviewPhrases);
  const time = useTime();
  const { data, error, dataUpdatedAt, refetch } = query;
  const isOld = data !== undefined && error instanceof ApiError;
  return (
    <div className={`overview-part overview-part-${size}`}>
      <Panel title={title} aside={isOld ? fill(words.asOf, { time: time.time(dataUpdatedAt) }) : aside}>
        {data !== undefined && children(data)}
        {data === undefined && error instanceof ApiError && (
          <ErrorState
            title={words.failed}
            text={errorWords(error)}
            requestId={error.requestId}
            retryLabel={words.retry}
            onRetry={() => void refetch()}
          />
        )}
        {data === undefined && !error && <Skeleton rows={3} />}
      </Panel>
    </div>
  );
}
