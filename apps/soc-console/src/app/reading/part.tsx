import type { ReactNode } from "react";
import { Skeleton } from "../../design/states.tsx";
import { fill, usePhrases } from "../language/language-context.tsx";
import { FailedPart } from "../page/page.tsx";
import { useTime } from "../time/time-context.tsx";
import type { Reading } from "./reading.ts";
import { readingPhrases } from "./reading-phrases.ts";

export interface PartProps<Data> {
  reading: Reading<Data>;
  /** Height of the placeholder while the part is loading. */
  rows?: number;
  /** What failed, if the place does not make it obvious. */
  title?: string;
  isEmpty?: (data: Data) => boolean;
  /** Shown only when the answer was read and has nothing. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** A part of a page that depends on one answer. It says "none" only of an answer that was read. */
export function Part<Data>({ reading, rows = 3, title, isEmpty, empty, children }: PartProps<Data>) {
  const words = usePhrases(readingPhrases);
  const time = useTime();
  if (reading.state === "loading") return <Skeleton rows={rows} />;
  if (reading.state === "failed") return <FailedPart title={title} error={reading.error} onRetry={reading.readAgain} />;
  const { data, error, readAt, readAgain } = reading;
  return (
    <>
      {error !== undefined && (
        <FailedPart title={fill(words.asOf, { time: time.time(readAt) })} error={error} onRetry={readAgain} />
      )}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}
