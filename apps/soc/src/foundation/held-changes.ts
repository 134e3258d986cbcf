import type { Caller } from "./caller/caller.ts";
import type { Tx } from "./database/tables.ts";

/** A stored change that has no effect until another person approves it. */
export interface HeldChange {
  subject: "exception" | "firmware" | "channel";
  id: string;
  /** Differs for each content of the record, because an approval is for one content. */
  version: string;
  action: string;
  justification: string;
  /** One sentence about what takes effect. */
  summary: string;
}

/** Requests the approval of a change and returns its id. Undefined without four eyes: the change takes effect at once. */
export type HoldChange = ((tx: Tx, caller: Caller, change: HeldChange) => Promise<string>) | undefined;

export interface HeldDecision {
  approval_id: string;
  isApproved: boolean;
  /** Who decided, or `approvals` when the approval expired. */
  actor: string;
}

/** Lets the change take effect, or discards it. Returns whether a record waits for this approval. */
export type SettleChange = (tx: Tx, decision: HeldDecision) => Promise<boolean>;
