import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { InsertOptions, LogLane, LogReads, LogStore } from "../../ports/log-store.ts";
import { isUnreachable, unreachable } from "../clickhouse/clickhouse-problems.ts";
import type { MemberStore } from "../clickhouse/member.ts";
import { createFederatedReads } from "./federated-reads.ts";

export interface FederatedLogStoreDeps {
  /** Their order decides which of them stores a batch. The names are for responses and messages. */
  stores: readonly { name: string; store: MemberStore }[];
  clock: Pick<Clock, "sleep">;
}

/**
 * A store that takes longer to respond to a ping counts as missing. The health check waits little longer; a search can.
 */
const STATE_MS = 1000;
const SEARCH_MS = 3000;

/**
 * One log store over several: a batch is stored whole in one of them, and reads merge the results of all of them. A
 * `Distributed` table would split a batch, and a part of it could be found although another part was never stored.
 */
export function createFederatedLogStore({ stores, clock }: FederatedLogStoreDeps): LogStore {
  async function answersWithin(ms: number, store: MemberStore): Promise<boolean> {
    const over = new AbortController();
    const late = clock.sleep(ms, over.signal).then(() => false);
    return Promise.race([store.isAvailable(), late])
      .catch(() => false)
      .finally(() => over.abort());
  }

  const on = (lane: LogLane) => {
    const members = stores.map(({ name, store }) => ({
      name,
      store: store.lane(lane),
      answers: () => answersWithin(SEARCH_MS, store),
    }));
    return createFederatedReads(members, clock);
  };
  const reads: Record<LogLane, LogReads> = {
    people: on("people"),
    previews: on("previews"),
    rules: on("rules"),
    stream: on("stream"),
  };

  async function findMissing(): Promise<string[]> {
    const asked = stores.map(async ({ name, store }) => ((await answersWithin(STATE_MS, store)) ? [] : [name]));
    return (await Promise.all(asked)).flat();
  }

  return {
    ...reads.people,
    lane: (lane) => reads[lane],

    /** An unreachable store does not prevent others from being migrated, nor from being refused. */
    async migrate() {
      const settled = await Promise.allSettled(stores.map(({ store }) => store.migrate()));
      const failures = settled.flatMap((each, place) =>
        each.status === "rejected" ? [nameFailure(stores[place]?.name ?? "", each.reason)] : [],
      );
      if (failures.length > 0) throw failures.find(isRefusal) ?? failures[0];
    },

    identify: async () => (await Promise.all(stores.map(({ store }) => store.identify()))).flat(),

    async insert(batch, options) {
      const chosen = stores[choosePlace(options, stores.length)];
      if (!chosen) throw new Error("a federation has at least one store");
      await chosen.store.insert(batch, options).catch((error: unknown) => {
        throw nameFailure(chosen.name, error);
      });
    },

    isAvailable: async () => (await Promise.all(stores.map(({ store }) => store.isAvailable()))).every(Boolean),
    state: async () => ({ stores: stores.length, missing: await findMissing() }),

    async close() {
      await Promise.all(stores.map(({ store }) => store.close()));
    },
  };
}

/** The same for every attempt to store a batch, because only its store remembers its token. */
function choosePlace({ token, partition }: InsertOptions, stores: number): number {
  return (partition ?? createHash("sha256").update(token).digest().readUInt32BE()) % stores;
}

/** The error names the variable that a person must change. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.field !== undefined;
}

function nameFailure(name: string, error: unknown): unknown {
  if (isUnreachable(error)) return unreachable(name, error);
  if (!(error instanceof Problem) || error.kind !== "unavailable") return error;
  return new Problem("unavailable", `${error.message} (${name})`, {
    field: error.field,
    ...(error.code !== undefined && { code: error.code }),
    ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
    cause: error,
  });
}
