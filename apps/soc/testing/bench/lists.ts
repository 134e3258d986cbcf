import { ALERT_SORTS } from "../../src/alerts/alerts/alerts.schema.ts";
import { encodeCursor } from "../../src/foundation/lists/page.ts";

/** A record as a list returns it. */
export type ListedRecord = Readonly<Record<string, unknown>>;
type Filters = Readonly<Record<string, string>>;

/** A list with its filters and sample records. */
export interface MeasuredList {
  path: string;
  sorts: readonly string[];
  /** By filter name: a value that matches the record. */
  filters: Readonly<Record<string, (record: ListedRecord, turn: number) => string>>;
  records: readonly ListedRecord[];
}

export const ALERTS = {
  path: "/api/v1/alerts",
  sorts: ALERT_SORTS,
  filters: {
    severity: createFieldReader("severity"),
    status: createFieldReader("status"),
    source: createFieldReader("source"),
    assignee: createFieldReader("assignee"),
    case_id: createFieldReader("case_id"),
    q: pickWords,
  },
};

export const CASES = {
  path: "/api/v1/cases",
  sorts: ["-created_at", "created_at", "-updated_at", "updated_at", "-severity", "severity"],
  filters: {
    severity: createFieldReader("severity"),
    status: createFieldReader("status"),
    assignee: createFieldReader("assignee"),
    q: pickWords,
  },
};

function createFieldReader(name: string) {
  return (record: ListedRecord) => String(record[name]);
}

/** In rotation: one word, two words, a prefix, and a rare name or number. */
function pickWords({ title }: ListedRecord, turn: number): string {
  const [first = "", second = "", , third = ""] = String(title).split(" ");
  return [first, `${first} ${second}`, second.slice(0, 4), third][turn % 4] ?? first;
}

/** No filter, each filter, and each pair of filters. */
export function listFilterSets({ filters }: Pick<MeasuredList, "filters">): string[][] {
  const names = Object.keys(filters);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  return [[], ...names.map((name) => [name]), ...pairs];
}

/** Every second query takes the second filter from another record, so that the pair may match nothing. */
export function filtersAt({ filters, records }: MeasuredList, names: readonly string[], turn: number): Filters {
  return Object.fromEntries(
    names.map((name, at) => {
      const record = records[(turn + ((at * turn) % 2)) % records.length] ?? {};
      return [name, filters[name]?.(record, turn) ?? ""];
    }),
  );
}

/** The cursor of the page after the record. */
export function cursorAfter(sort: string, record: ListedRecord): string {
  const column = sort.replace("-", "");
  const columns = column === "severity" ? ["severity", "created_at", "id"] : [column, "id"];
  return encodeCursor(
    sort,
    columns.map((name) => String(record[name])),
  );
}

export const reversed = (sort: string) => (sort.startsWith("-") ? sort.slice(1) : `-${sort}`);
