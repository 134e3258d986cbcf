import type { Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { PartitionState } from "./partition-rules.ts";

export interface EvaluationPlan {
  /** The generation of the rules that apply; later ones also apply. */
  generation: string;
  /** No log may be stored with an earlier ingest time. */
  floorMs: number;
}

export interface EvaluationResult {
  /** Rules whose matches could not be raised. */
  failed: readonly string[];
  /** Rules that could not be evaluated on every log. */
  capped: readonly string[];
}

/** Evaluates logs where they are stored, while they are in memory. */
export interface LogEvaluation {
  /** Runs in the transaction that claims a group, before its ingest time is chosen. */
  begin(tx: Tx): Promise<EvaluationPlan>;
  /** Runs after the logs were stored. Raises their matches before the group is settled. Idempotent. */
  evaluate(partition: number, plan: EvaluationPlan, logs: readonly LogEvent[]): Promise<EvaluationResult>;
  /** Runs in the transaction that settles the group. */
  end(tx: Tx, result: EvaluationResult, stampMs: number): Promise<void>;
  /** Runs in the transaction that renews the leases of the partitions that this process owns. */
  onRenewed(tx: Tx, renewed: ReadonlyMap<number, PartitionState>): Promise<void>;
}

/** What a worker needs to own partitions. */
export interface PartitionWork {
  /** Unique to the process. */
  worker: string;
  evaluation: LogEvaluation;
  isAllowed: () => Promise<boolean>;
}
