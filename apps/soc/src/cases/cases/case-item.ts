import { invalidField } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";

const MAX_CONTEXT = 16_384;

/** A change of an observable, a comment or a task. */
export interface ItemChange {
  case_id: string;
  /** The timeline entry, which remains when the item is edited or removed. */
  sentence: string;
  action: string;
  subject_type: string;
  subject_id: string;
  details: object;
}

export interface ItemRecorderDeps {
  cases: { note(tx: Tx, caller: Caller, case_id: string, action: string): Promise<void> };
  audit: Recorder;
}

/** Records the change of an item in the timeline of its case and in the audit log. */
export function createItemRecorder({ cases, audit }: ItemRecorderDeps) {
  return async (tx: Tx, caller: Caller, { case_id, sentence, details, ...change }: ItemChange): Promise<void> => {
    await cases.note(tx, caller, case_id, sentence);
    await audit.record(tx, { actor: caller.username, ...change, details: { case_id, ...details } });
  };
}

export function requireShortContext({ context = {} }: { context?: object }): void {
  if (JSON.stringify(context).length > MAX_CONTEXT) {
    throw invalidField("context", `must be at most ${MAX_CONTEXT} characters of JSON`);
  }
}
