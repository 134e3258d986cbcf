import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { OutboundGuard } from "@kit/guard/fetch";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { OUTSIDE } from "../runtime/mode-table.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import { type Answer, type Dispatch, type Facts, factsOf, type OutboundEntry, type Receipt } from "./dispatch.ts";
import type { OutboundStore } from "./outbound.store.ts";
import { signatureHeadersOf } from "./signature.ts";

export interface OutboundServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  stores: { database: OutboundStore; showcase: OutboundStore };
  guard: Pick<OutboundGuard, "open">;
  /** The destinations whose addresses an operator has configured: only these may lie in a private network. */
  privateDestinations: ReadonlySet<string>;
  clock: Pick<Clock, "now" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn">;
}

export type OutboundService = ReturnType<typeof createOutboundService>;

type Outcome = Pick<OutboundEntry, "outcome" | "status" | "of">;

const MAX_ANSWER_BYTES = 1024 * 1024;

/** The only way out. Nothing leaves that was not written down before. */
export function createOutboundService(deps: OutboundServiceDeps) {
  const { runtime, stores, guard, privateDestinations, clock, ids, log } = deps;

  async function record(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<string> {
    const id = ids.next();
    await store.append({ id, at: clock.now(), ...facts, ...outcome });
    return id;
  }

  /** It has happened: a record that fails must not look like an effect that failed, or it would be repeated. */
  async function recordEnd(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<void> {
    const { destination, purpose } = facts;
    await record(store, facts, outcome).catch((error: unknown) =>
      log.warn({ err: error, destination, purpose, ...outcome }, "end of a dispatch not recorded"),
    );
  }

  async function ask(dispatch: Dispatch): Promise<Answer> {
    const { destination, url, method, headers = {}, body, signingKey, timeoutMs } = dispatch;
    const signed = signingKey && signatureHeadersOf(signingKey, { method, url, body: body ?? "", at: clock.now() });
    const allowPrivate = privateDestinations.has(destination);
    const signal = clock.deadline(timeoutMs);
    try {
      const answer = await guard.open(url, {
        field: destination,
        policy: { schemes: allowPrivate ? ["http:", "https:"] : ["https:"], allowPrivate },
        method,
        headers: { ...headers, ...signed },
        ...(body === undefined ? {} : { body }),
        maxRedirects: 0,
        connectTimeoutMs: timeoutMs,
        idleTimeoutMs: timeoutMs,
        signal,
      });
      return { status: answer.status, body: await readBounded(answer.body, destination) };
    } catch (cause) {
      if (!signal.aborted) throw cause;
      throw new Problem("unavailable", `${destination}: no answer within ${timeoutMs} ms`, { cause });
    }
  }

  async function sendRecorded(store: OutboundStore, facts: Facts, dispatch: Dispatch): Promise<Receipt> {
    const id = await record(store, facts, { outcome: "intended", status: null, of: null });
    let answer: Answer;
    try {
      answer = await ask(dispatch);
    } catch (error) {
      await recordEnd(store, facts, { outcome: "failed", status: null, of: id });
      throw error;
    }
    await recordEnd(store, facts, { outcome: "answered", status: answer.status, of: id });
    return { outcome: "answered", id, answer };
  }

  return {
    /**
     * Sends it, or records or refuses it as the mode has it. Not inside a transaction: it must stay on record when that is
     * taken back.
     */
    async send(dispatch: Dispatch): Promise<Receipt> {
      const { mode } = await runtime.truth();
      const facts = factsOf(dispatch, mode);
      const store = await runtime.choose(stores);
      const fate = OUTSIDE[dispatch.kind][mode];
      switch (fate) {
        case "refused":
          await record(store, facts, { outcome: "refused", status: null, of: null });
          throw new Problem("forbidden", `Runtime mode '${mode}' blocks this change`);
        case "recorded":
          return {
            outcome: "recorded",
            id: await record(store, facts, { outcome: "recorded", status: null, of: null }),
          };
        case "sent":
          return sendRecorded(store, facts, dispatch);
        default:
          return fate satisfies never;
      }
    },
  };
}

async function readBounded(body: AsyncIterable<Buffer>, destination: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new Problem("unavailable", `${destination}: the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
