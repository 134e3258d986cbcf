import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { OUTSIDE } from "../runtime/mode-table.ts";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { Facts, OutboundEntry, Receipt } from "./dispatch.ts";
import type { OutboundStore } from "./outbound.store.ts";

export interface RecordedSendingDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  stores: { database: OutboundStore; showcase: OutboundStore };
  clock: Pick<Clock, "now" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn">;
}

/** A message to send, over any protocol. */
export interface OutboundExchange<Answer> {
  /** The facts to record about it. */
  factsIn: (mode: Mode) => Facts;
  /** The limit for the whole exchange, from name resolution to the last byte of the answer. */
  timeoutMs: number;
  send: (signal: AbortSignal) => Promise<Answer>;
}

type Outcome = Pick<OutboundEntry, "outcome" | "status" | "of">;

export type RecordedSending = ReturnType<typeof createRecordedSending>;

/** The single path for everything that leaves the platform: record first, then send. */
export function createRecordedSending({ runtime, stores, clock, ids, log }: RecordedSendingDeps) {
  async function record(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<string> {
    const id = ids.next();
    await store.append({ id, at: clock.now(), ...facts, ...outcome });
    return id;
  }

  /**
   * The effect has already happened. If recording its end fails, do not throw, or the caller would retry the effect.
   */
  async function recordEnd(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<void> {
    const { destination, purpose } = facts;
    await record(store, facts, outcome).catch((error: unknown) =>
      log.warn({ err: error, destination, purpose, ...outcome }, "recording the end of a dispatch failed"),
    );
  }

  async function sendInTime<Answer>(
    destination: string,
    { timeoutMs, send }: OutboundExchange<Answer>,
  ): Promise<Answer> {
    const signal = clock.deadline(timeoutMs);
    try {
      return await send(signal);
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw new Problem("unavailable", `${destination}: no answer within ${timeoutMs} ms`, { cause });
    }
  }

  async function sendRecorded<Answer extends { status: number }>(
    store: OutboundStore,
    facts: Facts,
    leaving: OutboundExchange<Answer>,
  ): Promise<Receipt<Answer>> {
    const id = await record(store, facts, { outcome: "intended", status: null, of: null });
    let answer: Answer;
    try {
      answer = await sendInTime(facts.destination, leaving);
    } catch (error) {
      await recordEnd(store, facts, { outcome: "failed", status: null, of: id });
      throw error;
    }
    await recordEnd(store, facts, { outcome: "answered", status: answer.status, of: id });
    return { outcome: "answered", id, answer };
  }

  /**
   * Sends, records or refuses the message, depending on the mode. Do not call it inside a transaction: the record must
   * survive a rollback.
   */
  return async <Answer extends { status: number }>(leaving: OutboundExchange<Answer>): Promise<Receipt<Answer>> => {
    const { mode } = await runtime.truth();
    const facts = leaving.factsIn(mode);
    const store = await runtime.choose(stores);
    const fate = OUTSIDE[facts.kind][mode];
    switch (fate) {
      case "refused":
        await record(store, facts, { outcome: "refused", status: null, of: null });
        throw new Problem("forbidden", `Runtime mode '${mode}' blocks this change`);
      case "recorded":
        return { outcome: "recorded", id: await record(store, facts, { outcome: "recorded", status: null, of: null }) };
      case "sent":
        return sendRecorded(store, facts, leaving);
      default:
        return fate satisfies never;
    }
  };
}
