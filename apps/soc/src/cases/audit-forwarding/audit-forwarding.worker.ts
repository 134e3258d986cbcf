import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { readBatch } from "../audit-chain/audit-batch.ts";
import { createAuditChainStore } from "../audit-chain/audit-chain.store.ts";
import { createForwardingStore, type Position } from "./audit-forwarding.store.ts";
import { type ForwardedEntry, type Receiver, type SendResult, WaitRequest } from "./receiver.ts";

export interface AuditForwardingDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  receiver: Receiver;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn" | "info">;
}

const ROUND_MS = 2000;
const MIN_RETRY_MS = 5000;
const MAX_RETRY_MS = 5 * 60_000;
const MAX_WAIT_MS = 3_600_000;
const MAX_DOUBLINGS = 10;
/** At most 1,000 entries in a request. */
const SEND_BATCHES = 4;
const MAX_SENDS = 50;
const MAX_FAILURE_CHARACTERS = 500;

/** Sends the chain of the audit log to one receiver, in order and at least once. */
export function createAuditForwarding({ db, runtime, receiver, clock, log }: AuditForwardingDeps) {
  const { name } = receiver;

  async function readNext(tx: Tx, after: number): Promise<{ entries: ForwardedEntry[]; last: number | undefined }> {
    const store = createAuditChainStore(tx);
    const batches = await store.listBatches(after + 1, SEND_BATCHES);
    const listed = batches.flatMap((each) =>
      (readBatch(each)?.entries ?? []).map(([id, hash]) => ({ batch: each.sequence, id, hash })),
    );
    const found = await store.findEntries(listed.map(({ id }) => id));
    const entries = listed.map((each) => ({ ...each, entry: found.get(each.id)?.entry }));
    return { entries, last: batches.at(-1)?.sequence };
  }

  async function recordFailure(tx: Tx, { failures }: Position, error: unknown): Promise<void> {
    const doubled = Math.min(MAX_RETRY_MS, MIN_RETRY_MS * 2 ** Math.min(failures, MAX_DOUBLINGS));
    const waitMs = error instanceof WaitRequest ? Math.min(MAX_WAIT_MS, error.seconds * 1000) : doubled;
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, MAX_FAILURE_CHARACTERS);
    const now = clock.now();
    await createForwardingStore(tx).recordFailure(name, failure, now, new Date(now.getTime() + waitMs));
    log.warn({ receiver: name, failure, failures: failures + 1 }, "sending audit entries failed");
  }

  /** Returns true if there may be more. */
  async function sendNext(tx: Tx): Promise<boolean> {
    const store = createForwardingStore(tx);
    if (!(await store.tryLock(name))) return false;
    const position = await store.begin(name);
    if (!position || (position.retry_at && position.retry_at > clock.now())) return false;
    const { entries, last } = await readNext(tx, position.batch);
    if (last === undefined) return false;
    let result: SendResult;
    try {
      result = await receiver.send(entries);
    } catch (error) {
      await recordFailure(tx, position, error);
      return false;
    }
    if (result.complaint !== undefined)
      log.warn({ receiver: name, complaint: result.complaint }, "audit entries were rejected");
    if (position.failures > 0) log.info({ receiver: name }, "sending audit entries resumed");
    await store.recordSent(name, last, clock.now(), result.complaint);
    return true;
  }

  async function round(): Promise<void> {
    const truth = await runtime.truth();
    if (!truth.is_external_actions_allowed || !truth.is_database_available) return;
    // Older entries are not sent: their order is fixed first.
    if (!(await createAuditChainStore(db).readProgress()).backfilledAt) return;
    for (let sent = 0; sent < MAX_SENDS; sent += 1) {
      if (!(await db.transaction().execute(sendNext))) return;
    }
  }

  return {
    round,
    loop: createPollingLoop({ round, waitMs: ROUND_MS, failure: "forwarding audit entries failed", clock, log }),
  };
}
