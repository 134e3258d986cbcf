import type { LogEvent } from "../../ports/log-event.ts";
import type { CompareLogs } from "../../ports/log-order.ts";
import type { LogPlace } from "../../ports/log-store.ts";

/** Returns the first logs of several sorted lists. */
export function mergePages<Place extends LogPlace>(
  pages: readonly (readonly Place[])[],
  compare: CompareLogs,
  limit: number,
): Place[] {
  return pages.flat().toSorted(compare).slice(0, limit);
}

type Blocks = AsyncIterator<readonly LogEvent[], unknown>;

interface Cursor {
  blocks: Blocks;
  block: readonly LogEvent[];
  /** The index of the head in the block. */
  at: number;
  head: LogEvent;
}

/**
 * Merges sorted streams. It holds one block of each stream, and reads the next block when a stream's block is exhausted
 * and the reader has consumed the merged logs. However it ends, all streams end.
 */
export async function* mergeStreams(
  open: (signal: AbortSignal) => readonly AsyncIterable<readonly LogEvent[]>[],
  compare: CompareLogs,
  signal?: AbortSignal,
): AsyncGenerator<LogEvent[], void, undefined> {
  const ended = new AbortController();
  const until = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const all = open(until).map((stream) => stream[Symbol.asyncIterator]());
  try {
    let cursors = (await Promise.all(all.map(readBlock))).flatMap((cursor) => cursor ?? []);
    while (cursors.length > 0) {
      const { merged, emptied } = mergeBlocks(cursors, compare);
      yield merged;
      until.throwIfAborted();
      const next = await readBlock(emptied.blocks);
      cursors = cursors.flatMap((cursor) => (cursor === emptied ? (next ?? []) : cursor));
    }
  } finally {
    ended.abort();
    await Promise.allSettled(all.map(async (blocks) => blocks.return?.()));
  }
}

/** The next non-empty block; undefined at the end of the stream. */
async function readBlock(blocks: Blocks): Promise<Cursor | undefined> {
  for (;;) {
    const next = await blocks.next();
    if (next.done) return undefined;
    const [head] = next.value;
    if (head) return { blocks, block: next.value, at: 0, head };
  }
}

/** Takes logs in order until one of the blocks is exhausted. */
function mergeBlocks(cursors: readonly Cursor[], compare: CompareLogs): { merged: LogEvent[]; emptied: Cursor } {
  const merged: LogEvent[] = [];
  for (;;) {
    const first = cursors.reduce((best, each) => (compare(each.head, best.head) < 0 ? each : best));
    merged.push(first.head);
    first.at += 1;
    const next = first.block[first.at];
    if (!next) return { merged, emptied: first };
    first.head = next;
  }
}
