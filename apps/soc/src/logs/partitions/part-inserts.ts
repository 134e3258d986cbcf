import type { Clock } from "@kit/clock";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { InsertOptions, LogStore } from "../../ports/log-store.ts";
import { CHUNK_LIMITS } from "../intake/pipeline/chunk.ts";
import type { NewEntry } from "../intake/pipeline/group.ts";
import { createInserts, parseRowProblem, type RowProblem } from "../intake/pipeline/inserts.ts";

export interface PartInsertsDeps {
  logStore: Pick<LogStore, "insert" | "count">;
  /**
   * Stores an entry that the log store refuses as a dead letter. Called before the others are stored; may be called
   * again.
   */
  refuse: (refused: NewEntry, reason: string) => Promise<void>;
  clock: Pick<Clock, "sleep" | "monotonicMs">;
}

export interface PartInsert {
  /** Identifies the group. Each part of the group extends it. */
  token: string;
  stamp: Date;
  /** An earlier attempt may have stored some of it. */
  isAgain: boolean;
  options: () => Omit<InsertOptions, "token">;
}

/**
 * How many inserts a group with bad rows may cost. After that, the rows that the store still refuses become dead
 * letters.
 */
const MAX_EXTRA_INSERTS = 100;
/** If the store names more bad rows than this one by one, bisecting is faster. */
const MAX_NAMED = 20;

/**
 * Stores a group in parts. The parts, their order and their tokens depend only on the group: an owner that repeats the
 * group after a crash stores exactly the missing parts.
 */
export function createPartInserts({ logStore, refuse, clock }: PartInsertsDeps) {
  const inserts = createInserts({ logStore, clock });

  /** A part is stored as a whole, so one of its logs shows whether it was stored. */
  async function isStored([first]: readonly NewEntry[], { stamp }: PartInsert): Promise<boolean> {
    const where = { sql: "id = {probe:String}", parameters: { probe: first?.log.id ?? "" } };
    const to = new Date(stamp.getTime() + 1);
    return (await logStore.count({ scope: ALL_SITES, where, time: "ingested_at", from: stamp, to }, 1)) > 0;
  }

  /** Returns the row that the store refuses; undefined if all rows are stored. */
  async function tryInsert(part: readonly NewEntry[], insert: PartInsert): Promise<RowProblem | undefined> {
    if (insert.isAgain && (await isStored(part, insert))) return undefined;
    const logs = part.map(({ log }) => log);
    return inserts
      .insert(logs, () => ({ token: insert.token, ...insert.options() }))
      .then(() => undefined, parseOrThrow);
  }

  async function insertPart(
    part: readonly NewEntry[],
    insert: PartInsert,
    left: { inserts: number },
  ): Promise<NewEntry[]> {
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

  async function insertHalves(
    part: readonly NewEntry[],
    insert: PartInsert,
    left: { inserts: number },
  ): Promise<NewEntry[]> {
    const middle = Math.ceil(part.length / 2);
    const first = await insertPart(part.slice(0, middle), { ...insert, token: `${insert.token}/1` }, left);
    return [...first, ...(await insertPart(part.slice(middle), { ...insert, token: `${insert.token}/2` }, left))];
  }

  /** Returns the stored rows; the others were refused. */
  return async (fresh: readonly NewEntry[], insert: PartInsert): Promise<NewEntry[]> => {
    const left = { inserts: MAX_EXTRA_INSERTS };
    const stored: NewEntry[] = [];
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

/** The rows that certainly cannot be stored; all of them if no further insert is allowed. */
function findBad(tried: readonly NewEntry[], { place }: RowProblem, isLast: boolean): readonly NewEntry[] {
  return isLast || tried.length === 1 ? tried : tried.filter((_, at) => at === place);
}

function splitParts(fresh: readonly NewEntry[]): NewEntry[][] {
  const parts: NewEntry[][] = [];
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
