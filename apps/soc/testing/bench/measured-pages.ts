import { GROUPINGS } from "../../src/alerts/alert-summaries/alert-summaries.schema.ts";
import { ALERT_SORTS } from "../../src/alerts/alerts/alerts.schema.ts";

type Query = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, string>>;
type Answer = ReturnType<typeof JSON.parse>;
type GetPage = (path: string, query: Query) => Promise<Answer>;

export interface Samples {
  alerts: readonly Row[];
  cases: readonly Row[];
  hugeCase: string;
  /** By kind, most frequent first. */
  entities: Readonly<Record<"host" | "user" | "address", readonly string[]>>;
}

/** A page of the console, with a different query each time. */
export interface PageRequest {
  name: string;
  path: string;
  queryAt: (turn: number, get: GetPage) => Promise<{ path?: string; query?: Query }> | { path?: string; query?: Query };
  isPartial: (answer: Answer) => boolean;
}

const DAY_MS = 24 * 60 * 60_000;
const DEEP_PAGES = 20;
const isPartial = (answer: Answer) => answer.is_partial !== false;
/** A page of a list is complete unless it states otherwise. */
const isPartialPage = (answer: Answer) => answer.is_partial === true || answer.items === undefined;

/** By filter name: a value that the record has. */
const ALERT_FILTERS: Readonly<Record<string, (record: Row, turn: number) => Query>> = {
  severity: ({ severity = "" }) => ({ severity }),
  "severity (two)": () => ({ severity: "critical,high" }),
  status: ({ status = "" }) => ({ status }),
  "status (open)": () => ({ status: "new,triaged,investigating" }),
  source: ({ source = "" }) => ({ source }),
  assignee: ({ assignee = "" }) => ({ assignee }),
  "assignee (none)": () => ({ assignee: "none" }),
  case_id: ({ case_id = "" }) => ({ case_id }),
  verdict: (_record, turn) => ({
    verdict: ["true_positive", "false_positive", "needs_tuning", "none"][turn % 4] ?? "",
  }),
  has_case: (_record, turn) => ({ has_case: String(turn % 2 === 0) }),
  ids: ({ id = "" }) => ({ ids: id }),
  ioc: ({ ioc = "" }) => ({ ioc }),
  min_risk: (_record, turn) => ({ min_risk: String([10, 50, 90, 99][turn % 4]) }),
  host: ({ host = "" }) => ({ host }),
  user: ({ user = "" }) => ({ user }),
  rule_id: ({ rule_id = "" }) => ({ rule_id }),
  site: ({ site = "" }) => ({ site }),
  tag: (_record, turn) => ({ tag: ["auto", "vip", "crown-jewel", "absent"][turn % 4] ?? "" }),
  technique: (_record, turn) => ({ technique: ["T1059", "T1059.001", "T1048", "T9999"][turn % 4] ?? "" }),
  "from (an hour)": () => ({ from: ago(DAY_MS / 24) }),
  "from (a week)": () => ({ from: ago(7 * DAY_MS) }),
  "from, to (a day)": (_record, turn) => ({ from: ago((turn + 2) * DAY_MS), to: ago((turn + 1) * DAY_MS) }),
  "q (a frequent word)": () => ({ q: "suspicious" }),
  "q (a name)": ({ host = "" }) => ({ q: host }),
  "q (no match)": (_record, turn) => ({ q: `absent${turn}` }),
  "query (exact)": ({ host = "" }) => ({ query: `severity:high AND host:${host}` }),
  "query (risk)": () => ({ query: "risk_score:>90 AND NOT status:closed" }),
  "query (text)": () => ({ query: "title:*ransomware*" }),
  "query (no match)": () => ({ query: "description:absent" }),
};

/** Filters that a queue combines. */
const ALERT_PAIRS: readonly (readonly string[])[] = [
  ["severity (two)", "status (open)"],
  ["status", "severity"],
  ["assignee", "status (open)"],
  ["assignee (none)", "status (open)"],
  ["host", "from (a week)"],
  ["user", "from (a week)"],
  ["rule_id", "status (open)"],
  ["rule_id", "severity"],
  ["site", "severity (two)"],
  ["site", "status (open)"],
  ["tag", "status"],
  ["technique", "severity"],
  ["source", "status"],
  ["source", "severity"],
  ["verdict", "source"],
  ["has_case", "status (open)"],
  ["min_risk", "status (open)"],
  ["min_risk", "host"],
  ["q (a name)", "status (open)"],
  ["q (a frequent word)", "severity"],
  ["query (risk)", "from (a week)"],
];

const CASE_FILTERS: Readonly<Record<string, (record: Row, turn: number) => Query>> = {
  "no filter": () => ({}),
  status: ({ status = "" }) => ({ status }),
  severity: ({ severity = "" }) => ({ severity }),
  assignee: ({ assignee = "" }) => ({ assignee }),
  "status, severity": () => ({ status: "open,investigating", severity: "critical,high" }),
  "q (a frequent word)": () => ({ q: "credential" }),
  "q (a number)": ({ title = "" }) => ({ q: title.split(" ").at(-1) ?? "" }),
};
const CASE_SORTS = ["-created_at", "updated_at", "-severity"];

export function listPages(samples: Samples): PageRequest[] {
  return [...listAlertPages(samples), ...listSummaries(samples), ...listCasePages(samples), ...listOthers(samples)];
}

function listAlertPages({ alerts }: Samples): PageRequest[] {
  const alertAt = (turn: number) => alerts[turn % alerts.length] ?? {};
  const filtered = (names: readonly string[], turn: number): Query =>
    Object.assign({}, ...names.map((name) => ALERT_FILTERS[name]?.(alertAt(turn), turn)));
  const sets = [...Object.keys(ALERT_FILTERS).map((name) => [name]), ...ALERT_PAIRS];
  return [
    ...ALERT_SORTS.map((sort) => list("/alerts", `no filter, ${sort}`, () => ({ sort }))),
    ...sets.flatMap((names) => [
      list("/alerts", names.join(" + "), (turn) => filtered(names, turn)),
      list("/alerts", `${names.join(" + ")}, -last_seen`, (turn) => ({ ...filtered(names, turn), sort: "-last_seen" })),
    ]),
    ...ALERT_SORTS.map((sort) => list("/alerts", `status (open), ${sort}`, () => ({ status: "new,triaged", sort }))),
    list("/alerts", "host, -risk_score", (turn) => ({ host: alertAt(turn).host ?? "", sort: "-risk_score" })),
    deep("/alerts", "a page far on", {}),
    deep("/alerts", "a page far on, by severity", { sort: "-severity" }),
    deep("/alerts", "a page far on of open alerts", { status: "new,triaged,investigating", sort: "-last_seen" }),
    ...page("/alerts/{id}/full", (turn) => `/alerts/${alertAt(turn).id}/full`),
  ];
}

function listSummaries({ entities: { host } }: Samples): PageRequest[] {
  const spans = {
    "a day": () => ({}),
    "a week": () => ({ from: ago(7 * DAY_MS) }),
    "30 days": () => ({ from: ago(30 * DAY_MS) }),
    "30 days, open": () => ({ from: ago(30 * DAY_MS), status: "new,triaged,investigating" }),
    "30 days, a host": (turn: number) => ({ from: ago(30 * DAY_MS), host: host[turn] ?? "" }),
    "30 days, a text": () => ({ from: ago(30 * DAY_MS), query: "title:*ransomware*" }),
  };
  const fields = "severity,status,source,assignee,host,user,rule_id,technique";
  return Object.entries(spans).flatMap(([span, queryAt]) => [
    { ...list("/alerts/summary", span, (turn) => ({ ...queryAt(turn), fields })), isPartial },
    ...GROUPINGS.map((by) => ({
      ...list(`/alerts/groups by ${by}`, span, (turn) => ({ ...queryAt(turn), by })),
      path: "/alerts/groups",
      isPartial,
    })),
  ]);
}

function listCasePages({ cases, hugeCase }: Samples): PageRequest[] {
  const caseAt = (turn: number) => cases[turn % cases.length] ?? {};
  return [
    ...Object.entries(CASE_FILTERS).flatMap(([name, queryAt]) =>
      CASE_SORTS.map((sort) =>
        list("/cases", `${name}, ${sort}`, (turn) => ({ ...queryAt(caseAt(turn), turn), sort })),
      ),
    ),
    deep("/cases", "a page far on", {}),
    ...page("/cases/{id}/full", (turn) => `/cases/${caseAt(turn).id}/full`),
    ...page("/cases/{id}/full of the huge one", () => `/cases/${hugeCase}/full`),
    list("/activity", "of a case", (turn) => ({ subject_type: "case", subject_id: caseAt(turn).id ?? "" })),
  ];
}

function listOthers({ alerts, entities }: Samples): PageRequest[] {
  const kinds = ["host", "user", "address"] as const;
  const ends = { largest: (turn: number) => turn % 3, rare: (turn: number) => -1 - (turn % 20) };
  return [
    ...[...kinds, "domain"].flatMap((type) =>
      ["-risk", "-last_seen"].map((sort) => ({
        ...list("/entities", `${type}, ${sort}`, () => ({ type, sort })),
        isPartial,
      })),
    ),
    ...kinds.flatMap((kind) =>
      Object.entries(ends).flatMap(([end, at]) => [
        ...page(`/entities/${kind}, ${end}`, (turn) => `/entities/${kind}/${entities[kind].at(at(turn))}`),
        ...["1", "2"].map((depth) => ({
          ...list("/entities/graph", `${kind}, ${end}, depth ${depth}`, (turn) => ({
            seed: `${kind}:${entities[kind].at(at(turn))}`,
            depth,
          })),
          isPartial,
        })),
      ]),
    ),
    ...["host-1", "suspicious", "credential", "analyst", "absent word"].map((q) => ({
      ...list("/search", q, () => ({ q })),
      isPartial,
    })),
    list("/activity", "of an alert", (turn) => ({ subject_type: "alert", subject_id: alerts[turn]?.id ?? "" })),
    list("/inbox", "all", () => ({})),
    list("/inbox", "unread", () => ({ unread: "true" })),
    { ...list("/inbox/count", "", () => ({})), isPartial: () => false },
    { ...list("/dashboard/stats", "", () => ({})), isPartial: () => false },
  ];
}

function list(path: string, name: string, queryAt: (turn: number) => Query): PageRequest {
  return { name: `${path} ${name}`, path, queryAt: (turn) => ({ query: queryAt(turn) }), isPartial: isPartialPage };
}

function page(name: string, pathAt: (turn: number) => string): PageRequest[] {
  return [{ name, path: name, queryAt: (turn) => ({ path: pathAt(turn) }), isPartial }];
}

/** The page after many others; only the last one is measured. */
function deep(path: string, name: string, query: Query): PageRequest {
  let cursor: Promise<string> | undefined;
  const goOn = async (get: GetPage): Promise<string> => {
    let at: Query = { ...query, limit: "200" };
    for (let turn = 0; turn < DEEP_PAGES; turn += 1) {
      const { next_cursor } = await get(`/api/v1${path}`, at).catch(() => ({ next_cursor: null }));
      if (next_cursor === null) break;
      at = { ...at, cursor: next_cursor };
    }
    return at.cursor ?? "";
  };
  const queryAt = async (_turn: number, get: GetPage) => {
    cursor ??= goOn(get);
    const found = await cursor;
    return { query: { ...query, ...(found !== "" && { cursor: found }) } };
  };
  return { name: `${path} ${name}`, path, queryAt, isPartial: isPartialPage };
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
