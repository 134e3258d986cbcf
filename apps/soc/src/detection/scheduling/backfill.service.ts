import type { Log } from "@kit/log";
import type { BackfillStore } from "./backfill.store.ts";
import type { WorkerRules } from "./dispatcher-batch.service.ts";

export interface BackfillServiceDeps {
  backfills: Pick<BackfillStore, "find" | "finish" | "postpone">;
  rules: Pick<WorkerRules, "find" | "run">;
  log: Pick<Log, "warn" | "error">;
}

const MAX_ATTEMPTS = 10;
const INITIAL_WAIT_SECONDS = 5;
const MAX_WAIT_SECONDS = 3600;

/** Evaluates a window that failed, or that a rule has missed. */
export function createBackfillService({ backfills, rules, log }: BackfillServiceDeps) {
  return {
    async run(id: string): Promise<void> {
      const backfill = await backfills.find(id);
      if (!backfill) return;
      const { rule_id, from, to, attempts } = backfill;
      const [rule] = await rules.find([rule_id]);
      const nothing = async () => undefined;
      if (!rule) {
        await backfills.finish(backfill, "skipped", nothing);
        return;
      }
      try {
        const { isCapped } = await rules.run(rule, { from, to }, undefined, true);
        await backfills.finish(backfill, isCapped ? "capped" : "ran", nothing);
      } catch (error) {
        const context = { err: error, rule_id, from, to, attempts };
        if (attempts < MAX_ATTEMPTS) {
          log.warn(context, "backfill failed");
          await backfills.postpone(backfill, waitSecondsAfter(attempts), String(error));
          return;
        }
        log.error(context, "backfill given up; the window is accounted for as skipped");
        await backfills.finish(backfill, "skipped", nothing);
      }
    },
  };
}

function waitSecondsAfter(attempts: number): number {
  return Math.min(INITIAL_WAIT_SECONDS * 2 ** (attempts - 1), MAX_WAIT_SECONDS);
}
