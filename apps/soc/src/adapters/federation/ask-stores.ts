import type { Clock } from "@kit/clock";
import type { MissingStores } from "../../ports/log-store.ts";
import { isUnreachable, unreachable } from "../clickhouse-problems.ts";
import type { Member } from "./member.ts";

export interface Asking {
  /** If given, stores that are unreachable are left out and named here, unless all are; otherwise the first one fails. */
  missing?: MissingStores | undefined;
  signal?: AbortSignal | undefined;
  clock: Pick<Clock, "sleep">;
}

/** A store that takes longer is asked from time to time whether it is still there: a cut line does not end a request. */
const WATCH_MS = 1000;

/** Asks all stores at once. The first failure ends the questions to the others. */
export async function askStores<Answer>(
  members: readonly Member[],
  ask: (store: Member["store"], signal: AbortSignal) => Promise<Answer>,
  { missing, signal, clock }: Asking,
): Promise<Answer[]> {
  const over = new AbortController();
  const unanswered = new Map<string, unknown>();

  /** Rejects when the store does not answer, also if nothing says so while the caller can do without it. */
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

/** Rejects when the store does not answer any more, and when the signal aborts. */
async function watch({ name, answers }: Member, signal: AbortSignal, clock: Asking["clock"]): Promise<never> {
  do await clock.sleep(WATCH_MS, signal);
  while (await answers());
  throw unreachable(name, undefined);
}
