import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { NewAlert } from "../../alerts/module.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { DataSources } from "../../foundation/showcase/data-sources.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { RulesStore } from "../rules/rules.store.ts";
import { buildSingleReport } from "./match.ts";
import { createMatchesWriter } from "./matches.store.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

export interface PromotedMatchesDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: DataSources<Pick<RulesStore, "find">>;
  clock: Pick<Clock, "now" | "sleep" | "monotonicMs">;
  ids: Pick<Ids, "next">;
}

/** Stores matches that a user promotes for a rule, under the same lock as the matches that the rule finds itself. */
export function createPromotedMatches({ runtime, stores, clock, ids }: PromotedMatchesDeps) {
  return {
    retryWhileBusy: <Result>(work: () => Promise<Result>): Promise<Result> => retryWhileBusy(clock, work),

    /** The alert that this rule would raise for the log; undefined when the caller may not see the rule. */
    async findReport(caller: Caller, rule_id: string, log: LogEvent): Promise<NewAlert | undefined> {
      const rule = await (await runtime.choose(stores)).find(caller, rule_id);
      return rule && buildSingleReport(rule, { log, members: [log] });
    },

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
