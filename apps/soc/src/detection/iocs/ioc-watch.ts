import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { LogEvent } from "../../ports/log-event.ts";
import type { IocHitsService } from "./ioc-hits.service.ts";
import type { ChangedIocsStore, ListedIoc } from "./ioc-hits.store.ts";
import { createIocMatcher, type IocMatcher } from "./ioc-matcher.ts";

export interface IocWatchDeps {
  changed: ChangedIocsStore;
  hits: Pick<IocHitsService, "record">;
  clock: Pick<Clock, "monotonicMs">;
  log: Pick<Log, "info">;
}

export interface IocWatch {
  /**
   * Updates the cached indicators; false if there are none. Call it after reading the watermark, so that an indicator
   * that is not loaded yet finds all of these logs in the log store.
   */
  refresh(): Promise<boolean>;
  /** Records the known indicators in these logs. Idempotent. */
  onLogs(logs: readonly LogEvent[]): Promise<void>;
}

const PAGE = 10_000;
const NIL = "00000000-0000-0000-0000-000000000000";
// A reload drops deleted and expired indicators. Until then they are matched, but no alert is raised for them.
const RELOAD_MS = 60 * 60_000;

/** Keeps all active indicators in memory and follows changes. */
export function createIocWatch({ changed, hits, clock, log }: IocWatchDeps): IocWatch {
  let kept: { matcher: IocMatcher; settled: string; loadedMs: number } | undefined;

  async function load(settled: string) {
    const matcher = createIocMatcher();
    await addPages(matcher, { id: NIL }, ({ id }) => changed.list(id, PAGE));
    log.info({ iocs: matcher.size() }, "indicators loaded");
    return { matcher, settled, loadedMs: clock.monotonicMs() };
  }

  return {
    async refresh() {
      const since = kept?.settled ?? "0";
      const { settled, hasChanged } = await changed.look(since);
      // Transaction ids only decrease if the database was restored onto another server.
      const isRestored = BigInt(settled) < BigInt(since);
      if (!kept || isRestored || clock.monotonicMs() - kept.loadedMs > RELOAD_MS) {
        kept = await load(settled);
      } else {
        const first = { id: NIL, changed_by: since };
        if (hasChanged) await addPages(kept.matcher, first, (after) => changed.next(after, PAGE));
        kept.settled = settled;
      }
      return kept.matcher.size() > 0;
    },

    async onLogs(logs) {
      if (!kept) return;
      const seen = new Map<string, LogEvent[]>();
      for (const each of logs) {
        for (const id of kept.matcher.match(each)) {
          const known = seen.get(id);
          if (known) known.push(each);
          else seen.set(id, [each]);
        }
      }
      if (seen.size > 0) await hits.record(seen);
    },
  };
}

async function addPages<Place extends { id: string }>(
  matcher: IocMatcher,
  first: Place,
  read: (after: Place) => Promise<readonly (Place & ListedIoc)[]>,
): Promise<void> {
  let after = first;
  for (;;) {
    const page = await read(after);
    matcher.add(page);
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last;
  }
}
