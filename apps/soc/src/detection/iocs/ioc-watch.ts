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

export interface IocWatch {
  /**
   * Updates the cached indicators; false when there are none. Call it after reading the watermark: then an indicator
   * that is not loaded yet finds all of these logs in the log store.
   */
  refresh(): Promise<boolean>;
  /** Records the known indicators in these logs. Idempotent. */
  onLogs(logs: readonly LogEvent[]): Promise<void>;
}

const PAGE = 10_000;
const NIL = "00000000-0000-0000-0000-000000000000";
// A reload drops deleted and expired indicators; until then they are matched, but no alert is raised for them.
const RELOAD_MS = 60 * 60_000;

/** Keeps all active indicators in memory and follows changes. */
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
