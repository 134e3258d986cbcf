import { pieceKeyOf } from "../formats/keys.ts";
import type { Chunk, Entry, Refusal } from "./chunk.ts";
import { isRejected, type Outcome, type RejectedOutcome, type StoredOutcome } from "./outcome.ts";

export interface IsolationDeps {
  /** Stores a chunk with its own insert and its own claim. */
  store: (chunk: Chunk) => Promise<Outcome>;
  /** Records that all pieces of a named batch are stored or refused. */
  remember: (batch: NonNullable<Chunk["batch"]>, refused: readonly Refusal[]) => Promise<void>;
  /** How many inserts one chunk may cost. After that, the pieces that the store still refuses become dead letters. */
  maxInserts?: number;
}

const MAX_INSERTS = 100;
// If the store names more bad rows than this one by one, bisecting is faster.
const MAX_NAMED = 20;

/**
 * Stores a chunk with rows that the log store refuses. The bad rows become dead letters. Each piece has its own claim:
 * after a crash between two pieces, a repeat of the batch stores exactly the missing pieces.
 */
export function createIsolation({ store, remember, maxInserts = MAX_INSERTS }: IsolationDeps) {
  async function storePieces(chunk: Chunk, left: { inserts: number }): Promise<StoredOutcome | Error> {
    const parts: StoredOutcome[] = [];
    for (const piece of splitChunk(chunk)) {
      const stored = await isolate(piece, left);
      if (stored instanceof Error) return stored;
      parts.push(stored);
    }
    const refused = parts.flatMap((part) => part.refused);
    if (chunk.batch) await remember(chunk.batch, refused);
    return { refused, entries: parts.flatMap((part) => part.entries) };
  }

  async function isolate(chunk: Chunk, left: { inserts: number }): Promise<StoredOutcome | Error> {
    let tried = chunk;
    for (let named = 0; ; named += 1) {
      left.inserts -= 1;
      const outcome = await store(tried);
      if (!isRejected(outcome)) return outcome;
      const bad = findBad(tried, outcome, left.inserts <= 0);
      if (bad.length === 0 || named === MAX_NAMED) return storePieces(tried, left);
      tried = refuse(tried, bad, outcome.reason);
    }
  }

  return async (chunk: Chunk): Promise<StoredOutcome | Error> => {
    try {
      return await isolate(chunk, { inserts: maxInserts });
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
}

/** The entries that certainly cannot be stored; all of them if no further insert is allowed. */
function findBad({ entries }: Chunk, { badEntry }: RejectedOutcome, isLast: boolean): readonly Entry[] {
  const logs = entries.filter(({ log }) => log !== undefined);
  if (isLast || logs.length === 1) return logs;
  return badEntry ? [badEntry] : [];
}

function refuse(chunk: Chunk, bad: readonly Entry[], reason: string): Chunk {
  const ids = new Set(bad.map(({ id }) => id));
  const entries = chunk.entries.map((entry) => (ids.has(entry.id) ? { ...entry, log: undefined, reason } : entry));
  return { ...chunk, entries };
}

/**
 * Bisects the chunk. The cut is between two senders if there are several, so that one sender does not affect the
 * others.
 */
function splitChunk(chunk: Chunk): Chunk[] {
  const ordered = chunk.entries.toSorted((a, b) => (a.sender === b.sender ? 0 : a.sender < b.sender ? -1 : 1));
  const middle = Math.ceil(ordered.length / 2);
  const isCut = (at: number) => at > 0 && at < ordered.length && ordered[at - 1]?.sender !== ordered[at]?.sender;
  const cuts = ordered.flatMap((_, at) => (isCut(at) ? [at] : []));
  const cut = cuts.find((at) => at >= middle) ?? cuts.at(-1) ?? middle;
  return [ordered.slice(0, cut), ordered.slice(cut)].map((part) => buildPiece(chunk, part));
}

function buildPiece({ batch, origin }: Chunk, entries: readonly Entry[]): Chunk {
  const [first, last] = [entries[0]?.index ?? 0, entries.at(-1)?.index ?? 0];
  return {
    entries,
    characters: entries.reduce((sum, { raw }) => sum + raw.length, 0),
    batch: batch && { key: pieceKeyOf(batch.key, first, last), digest: batch.digest },
    origin,
  };
}
