import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../logs/search/log.ts";
import { retryWhileBusy } from "./matches.service.ts";
import { createMatchesWriter } from "./matches.store.ts";

export interface PromotedMatchesDeps {
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** Stores matches that a user promotes for a rule, under the same lock as the matches that the rule finds itself. */
export function createPromotedMatches({ clock, ids }: PromotedMatchesDeps) {
  return {
    retryWhileBusy: <Result>(work: () => Promise<Result>): Promise<Result> => retryWhileBusy(clock, work),

    /** The existing alert of this match. Locks the rule's matches until the transaction ends. */
    async findAlert(tx: Tx, rule_id: string, log_id: string): Promise<string | undefined> {
      const writer = createMatchesWriter(tx);
      await writer.requireRule(rule_id);
      return writer.findAlertId(rule_id, log_id);
    },

    async keep(tx: Tx, rule_id: string, { id: log_id, ingested_at }: LogEvent, alert_id: string): Promise<void> {
      const writer = createMatchesWriter(tx);
      const matched_at = clock.now();
      const log_ingested_at = new Date(ingested_at);
      const isNew = await writer.keep({ id: ids.next(), rule_id, log_id, log_ingested_at, matched_at, alert_id });
      const matches = isNew ? 1 : 0;
      await writer.addCounts([{ rule_id, at: matched_at, runs: 0, matches, suppressed: 0 }]);
    },
  };
}
