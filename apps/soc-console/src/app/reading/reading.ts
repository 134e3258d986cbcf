import type { UseQueryResult } from "@tanstack/react-query";

/**
 * What the page knows of an answer of the service. "Not read yet", "failed" and "none" are different states: data can be
 * used only where it was read.
 */
export type Reading<Data> =
  | { state: "loading" }
  | { state: "failed"; error: unknown; readAgain: () => void }
  /** With an `error`, the data is from `readAt`, because the last read failed. */
  | { state: "read"; data: Data; readAt: number; error: unknown; readAgain: () => void };

type Query<Data> = Pick<UseQueryResult<Data>, "data" | "error" | "dataUpdatedAt" | "refetch">;

export function toReading<Data>({ data, error, dataUpdatedAt, refetch }: Query<Data>): Reading<Data> {
  const readAgain = () => void refetch();
  if (data !== undefined) return { state: "read", data, readAt: dataUpdatedAt, error: error ?? undefined, readAgain };
  return error ? { state: "failed", error, readAgain } : { state: "loading" };
}
