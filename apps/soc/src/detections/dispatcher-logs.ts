import type { Log } from "../siem/log.ts";
import type { LogStore } from "../siem/log-store.ts";
import type { Window } from "./schedule.ts";

const PAGE = 10_000;
const LOGS_AT_MOST = 10_000_000;
const EVERYTHING = { sql: "true", parameters: {} };

/** All logs of a window of ingest time. Most windows are one page, for which one question is enough. */
export async function* readLogs(
  logStore: Pick<LogStore, "search" | "stream">,
  window: Window,
): AsyncGenerator<readonly Log[], void, undefined> {
  const asked = { where: EVERYTHING, time: "ingested_at", order: "oldest", ...window } as const;
  const first = await logStore.search({ ...asked, limit: PAGE });
  if (first.length < PAGE) yield first;
  else yield* logStore.stream({ ...asked, limit: LOGS_AT_MOST });
}
