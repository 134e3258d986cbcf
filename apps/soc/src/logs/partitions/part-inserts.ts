import type { Clock } from "@kit/clock";
import { ALL_SITES } from "../../foundation/caller/scope.ts";
import type { InsertOptions, LogStore } from "../../ports/log-store.ts";
import { CHUNK_LIMITS } from "../intake/pipeline/chunk.ts";
import type { Fresh } from "../intake/pipeline/group.ts";
import { createInserts, parseRowProblem, type RowProblem } from "../intake/pipeline/inserts.ts";

export interface PartInsertsDeps {
  logStore: Pick<LogStore, "insert" | "count">;
  /** Keeps an entry that the log store refuses. It is called before the others are stored, and may be called again. */
  refuse: (refused: Fresh, reason: string) => Promise<void>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
}

export interface PartInsert {
  /** Names the group; each part of it adds to the name. */
  token: string;
  stamp: Date;
  /** An earlier attempt may have stored some of it. */
  isAgain: boolean;
  options: () => Omit<InsertOptions, "token">;
}

/** How many inserts a group with bad rows may cost. Then the rows that the store still refuses become dead letters. */
const MAX_EXTRA_INSERTS = 100;
/** If the store names more bad rows than this one by one, splitting in halves is faster. */
const MAX_NAMED = 20;

/**
 * Stores a group in parts. The parts, their order and their tokens follow from the group alone: an owner that stores it again
 * after a crash stores exactly what is missing.
 */
export function createPartInserts({ logStore, refuse, clock }: PartInsertsDeps) {
  const inserts = createInserts({ logStore, clock });

  /** A part is stored as a whole, so one of its logs shows whether it is. */
  async function isStored([first]: readonly Fresh[], { stamp }: PartInsert): Promise<boolean> {
    const where = { sql: "id = {probe:String}", parameters: { probe: first?.log.id ?? "" } };
    const to = new Date(stamp.getTime() + 1);
    return (await logStore.count({ scope: ALL_SITES, where, time: "ingested_at", from: stamp, to }, 1)) > 0;
  }

  /** What the store says about a row that it refuses; undefined when all rows are stored. */
  async function tryInsert(part: readonly Fresh[], insert: PartInsert): Promise<RowProblem | undefined> {
    if (insert.isAgain && (await isStored(part, insert))) return undefined;
    const logs = part.map(({ log }) => log);
    return inserts
      .insert(logs, () => ({ token: insert.token, ...insert.options() }))
      .then(() => undefined, parseOrThrow);
  }

  async function insertPart(part: readonly Fresh[], insert: PartInsert, left: { inserts: number }): Promise<Fresh[]> {
    let tried = part;
    for (let named = 0; tried.length > 0; named += 1) {
      const problem = await tryInsert(tried, insert);
      if (!problem) return [...tried];
      left.inserts -= 1;
      const bad = findBad(tried, problem, left.inserts <= 0);
      const isSlow = named === MAX_NAMED && bad.length < tried.length;
      if (bad.length === 0 || isSlow) return insertHalves(tried, insert, left);
      for (const each of bad) await refuse(each, problem.reason);
      tried = tried.filter((each) => !bad.includes(each));
    }
    return [];
  }

  async function insertHalves(part: readonly Fresh[], insert: PartInsert, left: { inserts: number }): Promise<Fresh[]> {
    const middle = Math.ceil(part.length / 2);
    const first = await insertPart(part.slice(0, middle), { ...insert, token: `${insert.token}/1` }, left);
    return [...first, ...(await insertPart(part.slice(middle), { ...insert, token: `${insert.token}/2` }, left))];
  }

  /** Returns what is stored; the rest was refused. */
  return async (fresh: readonly Fresh[], insert: PartInsert): Promise<Fresh[]> => {
    const left = { inserts: MAX_EXTRA_INSERTS };
    const stored: Fresh[] = [];
    for (const [place, part] of splitParts(fresh).entries()) {
      stored.push(...(await insertPart(part, { ...insert, token: `${insert.token} ${place}` }, left)));
    }
    return stored;
  };
}

function parseOrThrow(error: unknown): RowProblem {
  const problem = parseRowProblem(error);
  if (!problem) throw error;
  return problem;
}

/** The rows that cannot be stored for certain; all of them when no further insert is allowed. */
function findBad(tried: readonly Fresh[], { place }: RowProblem, isLast: boolean): readonly Fresh[] {
  return isLast || tried.length === 1 ? tried : tried.filter((_, at) => at === place);
}

function splitParts(fresh: readonly Fresh[]): Fresh[][] {
  const parts: Fresh[][] = [];
  let characters = 0;
  for (const each of fresh) {
    const part = parts.at(-1);
    characters += each.entry.raw.length;
    if (part && part.length < CHUNK_LIMITS.rows && characters <= CHUNK_LIMITS.characters) part.push(each);
    else {
      parts.push([each]);
      characters = each.entry.raw.length;
    }
  }
  return parts;
}
