import type { Clock } from "@kit/clock";
import type { MissingStores } from "../../ports/log-store.ts";
import { isUnreachable, unreachable } from "../clickhouse/clickhouse-problems.ts";
import type { Member } from "../clickhouse/member.ts";

export interface FederationOptions {
  /**
   * If given, unreachable stores are omitted and named here, unless all are unreachable; otherwise the first failure is
   * thrown.
   */
  missing?: MissingStores | undefined;
  signal?: AbortSignal | undefined;
  clock: Pick<Clock, "sleep">;
}

/** A store that takes longer is pinged periodically, because a broken connection does not end a request. */
const WATCH_MS = 1000;

/** Queries all stores concurrently. The first failure ends the other queries. */
export async function askStores<Answer>(
  members: readonly Member[],
  ask: (store: Member["store"], signal: AbortSignal) => Promise<Answer>,
  { missing, signal, clock }: FederationOptions,
): Promise<Answer[]> {
  const over = new AbortController();
  const unanswered = new Map<string, unknown>();

  /** Rejects if the store stops responding, even if no error is reported while the caller can do without it. */
  async function waitFor(member: Member): Promise<Answer> {
    const gone = new AbortController();
    const until = AbortSignal.any([over.signal, gone.signal, ...(signal ? [signal] : [])]);
    const answer = ask(member.store, until);
    return (missing ? Promise.race([answer, watch(member, until, clock)]) : answer).finally(() => gone.abort());
  }

  async function askOne(member: Member): Promise<Answer[]> {
    try {
      return [await waitFor(member)];
    } catch (error) {
      if (signal?.aborted || !isUnreachable(error)) throw error;
      if (!missing) throw unreachable(member.name, error);
      unanswered.set(member.name, error);
      if (unanswered.size === members.length) throw error;
      return [];
    }
  }

  try {
    const answers = (await Promise.all(members.map(askOne))).flat();
    for (const name of unanswered.keys()) missing?.add(name);
    return answers;
  } finally {
    over.abort();
  }
}

/** Rejects when the store stops responding, and when the signal aborts. */
async function watch(
  { name, answers }: Member,
  signal: AbortSignal,
  clock: FederationOptions["clock"],
): Promise<never> {
  do await clock.sleep(WATCH_MS, signal);
  while (await answers());
  throw unreachable(name, undefined);
}
