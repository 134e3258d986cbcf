import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
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

/** A part that loads separately: on failure it keeps its data, shows its age, and offers a retry. */
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
