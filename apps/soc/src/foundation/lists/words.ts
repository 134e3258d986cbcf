import { type Expression, type QueryExecutorProvider, sql } from "kysely";

export interface WordColumn {
  table: string;
  /** A tsvector column with a GIN index. */
  column: string;
}

/** The words to search for, and the rows to search. */
export interface Search {
  words: readonly string[];
  /** How many rows the list needs. */
  needed: number;
  /**
   * For a caller restricted to sites: the newest rows with the column. The statistics of the table include words of
   * other sites, so a total based on them would reveal how frequent a word is there.
   */
  own?: Expression<unknown>;
}

export interface SearchPlan {
  /** The words to look up in the index; empty if the index would return too many rows. */
  indexed: string[];
  /** The other words, which are checked on every row that the index returns. */
  checked: string[];
  /** The estimated share of all rows that contain the words. */
  share: number;
}

// How many index entries, and how many table rows, PostgreSQL reads in about 50 ms if the table is much larger than
// memory.
const MAX_INDEX_ENTRIES = 60_000;
const MAX_TABLE_ROWS = 7000;
// Below this number of expected rows, reading the index entries of another word costs more than it saves.
const FEW_ENOUGH_ROWS = 1000;
// How many own rows are sampled for frequent words: a word in one of a hundred rows occurs ten times.
const SAMPLED_ROWS = 1000;

/**
 * Plans a search for rows that contain all the words, each as a prefix: by the rarest words in the index or, if too
 * many rows match, by a scan in list order that stops at the needed number of rows.
 */
export async function planSearch(
  db: QueryExecutorProvider,
  searched: WordColumn,
  { words, needed, own }: Search,
): Promise<SearchPlan> {
  const frequencies = own
    ? await sampleFrequencies(db, searched, words, own)
    : await readFrequencies(db, searched, words);
  const share = frequencies.reduce((product, frequency) => product * frequency.share, 1);
  const indexed: string[] = [];
  let expected = frequencies[0]?.rows ?? 0;
  for (const frequency of frequencies.toSorted((a, b) => a.share - b.share)) {
    const isRead = frequency.share * frequency.rows < MAX_INDEX_ENTRIES;
    if (!isRead || (indexed.length > 0 && expected < FEW_ENOUGH_ROWS)) break;
    expected *= frequency.share;
    indexed.push(frequency.word);
  }
  if (indexed.length > 0 && expected < MAX_TABLE_ROWS)
    return { indexed, checked: words.filter((word) => !indexed.includes(word)), share };
  return needed / share < MAX_INDEX_ENTRIES
    ? { indexed: [], checked: [...words], share }
    : { indexed: [...words], checked: [], share };
}

interface Frequency {
  word: string;
  share: number;
  rows: number;
}

/**
 * Returns the number of rows of the table, and not of the view with the same name that comes first in the search path
 * of some sessions.
 */
function countRows(table: string) {
  return sql`SELECT greatest(max(reltuples), 0) AS rows FROM pg_class
    WHERE relname = ${table} AND relkind = 'r'
      AND (SELECT nspname FROM pg_namespace WHERE pg_namespace.oid = relnamespace) = ANY(current_schemas(false))`;
}

/**
 * Returns the share of rows that contain each word from the planner's statistics; 0 for words that they do not list.
 */
async function readFrequencies(
  db: QueryExecutorProvider,
  { table, column }: WordColumn,
  words: readonly string[],
): Promise<Frequency[]> {
  const { rows } = await sql<Frequency>`
    SELECT word, rows, least(1, (
        SELECT coalesce(sum(frequency), 0) FROM common_words(current_schema(), ${table}, ${column})
        WHERE starts_with(element, word)
      )) AS share
    FROM unnest(${words}::text[]) AS word, (${countRows(table)}) AS searched`.execute(db);
  return rows;
}

/** Returns the share of own rows that contain each word from a sample; 0 for words that it does not contain. */
async function sampleFrequencies(
  db: QueryExecutorProvider,
  { table, column }: WordColumn,
  words: readonly string[],
  own: Expression<unknown>,
): Promise<Frequency[]> {
  const queries = words.map((word) => `'${word}':*`);
  const { rows } = await sql<Frequency>`
    WITH sampled AS MATERIALIZED (SELECT ${sql.ref(column)} AS words FROM (${own}) AS own LIMIT ${SAMPLED_ROWS})
    SELECT word, rows, (
        SELECT coalesce(avg(ts_match_vq(words, to_tsquery('simple', query))::int), 0)::float8 FROM sampled
      ) AS share
    FROM unnest(${words}::text[], ${queries}::text[]) AS searched (word, query), (${countRows(table)}) AS counted`.execute(
    db,
  );
  return rows;
}
