import type { Base, Registrations } from "../../foundation/base.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { EventStream } from "../../foundation/events/event-stream.ts";
import type { LogStore } from "../../ports/log-store.ts";
import { createLogReader } from "../execution/log-reader.ts";
import { createVerdictCountsStore } from "../feedback/verdict-counts.store.ts";
import type { RunsService } from "../runs/runs.service.ts";
import { backtestsRoutes } from "./backtests.routes.ts";
import { createBacktestsService } from "./backtests.service.ts";
import { createBacktestsStore, createBacktestsWriter, createShowcaseBacktestsStore } from "./backtests.store.ts";
import { createBacktestsWorker } from "./backtests.worker.ts";

export interface BacktestsNeeds {
  logStore: Pick<LogStore, "lane">;
  detections: { runs: Pick<RunsService, "draft"> };
  outbox: Pick<EventStream, "publish">;
}

const KEPT_MS = 7 * 24 * 60 * 60_000;

/** Evaluates rules on past logs, as background work with progress. */
export function createBacktests(base: Base, { logStore, detections, outbox }: BacktestsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const stores = base.sources(createBacktestsStore, createShowcaseBacktestsStore);
  const backtests = createBacktestsService({ runtime, stores, runs: detections.runs, audit, clock, ids });
  return {
    services: { backtests },
    registrations: {
      routes: [backtestsRoutes(backtests, changes)],
      readers: { backtest: ["detections:read"] as const },
      sweeps: [
        {
          name: "backtests",
          run: () => createBacktestsWriter(db).sweep(new Date(clock.now().getTime() - KEPT_MS)),
        },
      ],
      createWork: ({ executorId }: { executorId: string }) => ({
        background: () => [
          createBacktestsWorker({
            worker: executorId,
            db,
            logs: createLogReader(logStore.lane("previews"), ALL_SITES),
            verdicts: createVerdictCountsStore(db),
            outbox,
            audit,
            isAllowed: async () => (await runtime.truth()).is_internal_workflows_allowed,
            clock,
            log,
          }),
        ],
      }),
    } satisfies Registrations,
  };
}
