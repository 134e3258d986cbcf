import { type QueryExecutorProvider, sql } from "kysely";

export interface WordColumn {
  table: string;
  /** A tsvector with an inverted index. */
  column: string;
}

export interface SearchPlan {
  /** The words by which the index finds few rows; none when it would find too many. */
  indexed: string[];
  /** The others, which every row that is found is held against. */
  checked: string[];
  /** In which part of all rows the words may be expected. */
  share: number;
}

// What is read in an index, and what is looked at of the table, in some 50 ms while the table is far larger than memory.
const READ_QUICKLY = 60_000;
const FEW = 7000;
// Another word is worth less than the time to read where it stands.
const ENOUGH = 1000;

/**
 * How to look for rows that have all the words, each at least as a beginning: by the rarest of them, or, when too many
 * rows have them, along the order of the list until as many as are needed are met.
 */
export async function planSearch(
  db: QueryExecutorProvider,
  searched: WordColumn,
  words: readonly string[],
  needed: number,
): Promise<SearchPlan> {
  const frequencies = await readFrequencies(db, searched, words);
  const share = frequencies.reduce((product, frequency) => product * frequency.share, 1);
  const indexed: string[] = [];
  let expected = frequencies[0]?.rows ?? 0;
  for (const frequency of frequencies.toSorted((a, b) => a.share - b.share)) {
    const isRead = frequency.share * frequency.rows < READ_QUICKLY;
    if (!isRead || (indexed.length > 0 && expected < ENOUGH)) break;
    expected *= frequency.share;
    indexed.push(frequency.word);
  }
  if (indexed.length > 0 && expected < FEW)
    return { indexed, checked: words.filter((word) => !indexed.includes(word)), share };
  return needed / share < READ_QUICKLY
    ? { indexed: [], checked: [...words], share }
    : { indexed: [...words], checked: [], share };
}

/** In which share of the rows each word stands, as the statistics of the planner have it; 0 for those it has not met. */
async function readFrequencies(
  db: QueryExecutorProvider,
  { table, column }: WordColumn,
  words: readonly string[],
): Promise<{ word: string; share: number; rows: number }[]> {
  const { rows } = await sql<{ word: string; share: number; rows: number }>`
    SELECT word, rows, least(1, (
        SELECT coalesce(sum(frequency), 0)
        FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (element, frequency)
        WHERE schemaname = current_schema() AND tablename = ${table} AND attname = ${column}
          AND starts_with(element, word)
      )) AS share
    FROM unnest(${words}::text[]) AS word,
      (SELECT greatest(reltuples, 0) AS rows FROM pg_class WHERE oid = to_regclass(${table})) AS searched`.execute(db);
  return rows;
}
