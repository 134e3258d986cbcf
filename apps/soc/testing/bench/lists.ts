import { ALERT_SORTS } from "../../src/casework/alerts/alerts.schema.ts";
import { encodeCursor } from "../../src/foundation/lists/page.ts";

/** A record as a list answers it. */
export type Shown = Readonly<Record<string, unknown>>;
type Filters = Readonly<Record<string, string>>;

/** A list, what can be asked of it, and records that are in it. */
export interface MeasuredList {
  path: string;
  sorts: readonly string[];
  /** By its name, what a filter is asked for that shall find the record. */
  filters: Readonly<Record<string, (record: Shown, turn: number) => string>>;
  records: readonly Shown[];
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
  return (record: Shown) => String(record[name]);
}

/** In turn one word, two words, the beginning of a word, and the name or number that is rare. */
function pickWords({ title }: Shown, turn: number): string {
  const [first = "", second = "", , third = ""] = String(title).split(" ");
  return [first, `${first} ${second}`, second.slice(0, 4), third][turn % 4] ?? first;
}

/** No filter, each filter, and each two of them. */
export function listFilterSets({ filters }: Pick<MeasuredList, "filters">): string[][] {
  const names = Object.keys(filters);
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  return [[], ...names.map((name) => [name]), ...pairs];
}

/** Every other time the second filter comes from another record, and may find nothing together with the first. */
export function filtersAt({ filters, records }: MeasuredList, names: readonly string[], turn: number): Filters {
  return Object.fromEntries(
    names.map((name, at) => {
      const record = records[(turn + ((at * turn) % 2)) % records.length] ?? {};
      return [name, filters[name]?.(record, turn) ?? ""];
    }),
  );
}

/** The cursor of a page that begins after the record. */
export function cursorAfter(sort: string, record: Shown): string {
  const column = sort.replace("-", "");
  const columns = column === "severity" ? ["severity", "created_at", "id"] : [column, "id"];
  return encodeCursor(
    sort,
    columns.map((name) => String(record[name])),
  );
}

export const reversed = (sort: string) => (sort.startsWith("-") ? sort.slice(1) : `-${sort}`);
