import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { LogEvent } from "../../logs/search/log.ts";
import type { IocHitsService } from "./ioc-hits.service.ts";
import type { ChangedIocsStore } from "./ioc-hits.store.ts";
import { createIocMatcher, type IocMatcher } from "./ioc-matcher.ts";

export interface IocWatchDeps {
  changed: ChangedIocsStore;
  hits: Pick<IocHitsService, "record">;
  clock: Pick<Clock, "monotonicMs">;
  log: Pick<Log, "info">;
}

/** What the stream of logs needs of indicators. */
export interface IocWatch {
  /**
   * Brings what is kept in memory up to date; false when there is nothing to look for. To be called after it is known how
   * far logs are stored: then an indicator that is not seen here yet finds all of these logs in the store.
   */
  refresh(): Promise<boolean>;
  /** Records what is known of these logs. Repeated, nothing is told twice. */
  onLogs(logs: readonly LogEvent[]): Promise<void>;
}

const PAGE = 10_000;
const NIL = "00000000-0000-0000-0000-000000000000";
// What was deleted or has ended is dropped then; until then it is found, and told by nobody.
const RELOAD_MS = 60 * 60_000;

/** All active indicators in memory, and what is new of them in a moment. */
export function createIocWatch({ changed, hits, clock, log }: IocWatchDeps): IocWatch {
  let kept: { matcher: IocMatcher; settled: string; loadedMs: number } | undefined;

  async function readInto(matcher: IocMatcher, since: string): Promise<void> {
    let after = { changed_by: since, id: NIL };
    for (;;) {
      const page = await changed.next(after, PAGE);
      matcher.add(page);
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last;
    }
  }

  return {
    async refresh() {
      if (!kept || clock.monotonicMs() - kept.loadedMs > RELOAD_MS) {
        const { settled } = await changed.look("0");
        const matcher = createIocMatcher();
        await readInto(matcher, "0");
        kept = { matcher, settled, loadedMs: clock.monotonicMs() };
        log.info({ iocs: matcher.size() }, "indicators loaded");
      } else {
        const { settled, hasChanged } = await changed.look(kept.settled);
        if (hasChanged) await readInto(kept.matcher, kept.settled);
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
