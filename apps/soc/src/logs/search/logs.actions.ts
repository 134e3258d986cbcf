import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { type Action, PLAIN } from "../../foundation/actions/action.ts";
import { listSiteNames } from "../../foundation/caller/caller.ts";
import type { LogsService } from "./logs.service.ts";
import { requireAllStores } from "./partial.ts";

export interface SearchActionDeps {
  logs: Pick<LogsService, "newest">;
  clock: Pick<Clock, "now">;
}

const FIELD = "^[a-z_]+(\\.[A-Za-z0-9_-]+)*$";

const Params = Type.Object(
  {
    /** No templates here: a query is code, and a substituted value could change its meaning. */
    query: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, [PLAIN]: true })),
    /** Fields that must have exactly these values; the values are escaped. */
    match: Type.Optional(Type.Record(Type.String({ pattern: FIELD }), Type.String({ minLength: 1, maxLength: 500 }))),
    last_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24 * 31 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false, minProperties: 1 },
);
type Params = Static<typeof Params>;

const LAST_HOURS = 24;
const LIMIT = 20;
const MAX_VALUES = 20;

/** Searches logs. Changes nothing, so it may be repeated. */
export function createSearchAction({ logs, clock }: SearchActionDeps): Action {
  return {
    name: "siem.search",
    kind: "outside",
    staysInside: true,
    params: Params,
    async describe(params, { scope }) {
      const asked = Value.Parse(Params, params);
      const { last_hours = LAST_HOURS } = asked;
      const where = listSiteNames(scope)
        .map((name) => ` at ${name}`)
        .join("");
      return {
        summary: `Searches the logs of the last ${last_hours} hours${where} for: ${buildQuery(asked)}`,
        sends: [],
      };
    },
    async run(params, { scope, signal }) {
      const asked = Value.Parse(Params, params);
      const { last_hours = LAST_HOURS, limit = LIMIT } = asked;
      const query = buildQuery(asked);
      const to = clock.now();
      const from = new Date(to.getTime() - last_hours * 3_600_000);
      const window = { from: from.toISOString(), to: to.toISOString() };
      const found = await logs.newest(scope, { query, ...window }, limit, signal);
      // A playbook decides based on the result, so it requires all logs.
      requireAllStores(found);
      const distinct = (values: readonly string[]) => [...new Set(values.filter(Boolean))].slice(0, MAX_VALUES);
      return {
        total: found.total,
        log_ids: found.logs.map(({ id }) => id),
        hosts: distinct(found.logs.map(({ host }) => host)),
        users: distinct(found.logs.map(({ user }) => user)),
      };
    },
  };
}

/** Within quotes only a quote and a backslash must be escaped. */
function buildQuery({ query, match = {} }: Params): string {
  const terms = Object.entries(match).map(([field, value]) => `${field}:"${value.replaceAll(/["\\]/g, "\\$&")}"`);
  const parts = query === undefined ? terms : [...terms, `(${query})`];
  if (parts.length === 0) throw invalidField("query", "is required if match is missing");
  return parts.join(" AND ");
}
