import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Db } from "../../foundation/database/tables.ts";
import { readPage } from "../../foundation/lists/keyset.ts";
import type { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { newestFirst, type Order, pageInMemory } from "../../foundation/lists/order.ts";
import { isUuid, type Page } from "../../foundation/lists/page.ts";
import { isVisible } from "../../logs/module.ts";
import {
  buildVersion,
  EQUAL_FILTERS,
  isListed,
  type Rule,
  type RuleRow,
  type RuleVersionRow,
  resolveTimes,
  toOrder,
} from "./rule.ts";
import type { ListRulesQuery, RuleFilters } from "./rules.schema.ts";

declare module "../../foundation/database/tables.ts" {
  interface Tables {
    detection_rules: RuleRow;
    detection_rule_versions: RuleVersionRow;
  }
}

/** A rule with the times of its last and next run. */
export type FoundRule = RuleRow & Rule;

/** Reads outside of change transactions. Returns only rules that are shared with the caller. */
export interface RulesStore {
  list(caller: Caller, query: ListRulesQuery): Promise<Page<Rule>>;
  find(caller: Caller, rule_id: string): Promise<FoundRule | undefined>;
  versions(rule_id: string, query: PageQuery): Promise<Page<RuleVersionRow>>;
  findVersion(rule_id: string, version: number): Promise<RuleVersionRow | undefined>;
  /** Up to `limit` of the selected rules in id order, after the given one. */
  next(caller: Caller, filter: RuleFilters, after: string | undefined, limit: number): Promise<RuleRow[]>;
  /** The techniques and sources of the enabled rules that the caller may see; at most 20,000 rules. */
  techniques(caller: Caller, filter: RuleFilters): Promise<Pick<Rule, "id" | "mitre_techniques" | "source">[]>;
}

const COLUMNS = [
  "id",
  "name",
  "description",
  "enabled",
  "type",
  "query",
  "threshold",
  "source",
  "host",
  "match_severity",
  "alert_severity",
  "alert_title_template",
  "alert_description_template",
  "auto_create_case",
  "schedule_enabled",
  "schedule_interval_minutes",
  "mitre_techniques",
  "sharing_mode",
  "shared_with_roles",
  "tags",
  "sigma",
  "overlay",
  "version",
  "created_by",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof RuleRow)[];

const NEWEST_VERSION_FIRST: Order<RuleVersionRow> = newestFirst("changed_at");

const MAX_RULES = 20_000;

/** Rows per statement, so that a statement stays far below its timeout. */
const RULES_BATCH_SIZE = 100;

const CHANGED = [...COLUMNS.filter((name) => name !== "id"), "sigma_yaml"] as const;

// A key that no other transaction-level advisory lock uses.
const IMPORTS_LOCK = 7_315_015;

// The newest run, found by an index; and the next run of the current version, according to the schedule.
const lastRunAt = sql<Date | null>`(SELECT finished_at FROM detection_runs
  WHERE rule_id = detection_rules.id ORDER BY started_at DESC, id DESC LIMIT 1)`;

const nextRunAt = sql<Date | null>`(SELECT next_run_at FROM detection_coverage AS coverage
  WHERE coverage.rule_id = detection_rules.id AND coverage.version = detection_rules.version)`;

export function createRulesStore(db: Db): RulesStore {
  return {
    async list(caller, query) {
      const listed = createFilteredRules(db, caller, query).select([
        ...COLUMNS,
        lastRunAt.as("last_run_at"),
        nextRunAt.as("next_run_at"),
      ]);
      const page = await readPage(db, listed, toOrder(query.sort), query);
      return { ...page, items: page.items.map((rule) => ({ ...rule, ...resolveTimes(rule, rule) })) };
    },

    async find(caller, rule_id) {
      if (!isUuid(rule_id)) return undefined;
      const rule = await createVisibleRules(db, caller)
        .select([...COLUMNS, "sigma_yaml", lastRunAt.as("last_run_at"), nextRunAt.as("next_run_at")])
        .where("id", "=", rule_id)
        .executeTakeFirst();
      return rule && { ...rule, ...resolveTimes(rule, rule) };
    },

    versions: (rule_id, query) => readPage(db, createVersions(db, rule_id), NEWEST_VERSION_FIRST, query),

    findVersion: (rule_id, version) => createVersions(db, rule_id).where("version", "=", version).executeTakeFirst(),

    next(caller, filter, after, limit) {
      const rules = createFilteredRules(db, caller, filter).select([...COLUMNS, "sigma_yaml"]);
      return (after === undefined ? rules : rules.where("id", ">", after)).orderBy("id").limit(limit).execute();
    },

    techniques: (caller, filter) =>
      createFilteredRules(db, caller, filter)
        .select(["id", "mitre_techniques", "source"])
        .where("enabled", "=", true)
        .orderBy("created_at")
        .orderBy("id")
        .limit(MAX_RULES)
        .execute(),
  };
}

function createVersions(db: Db, rule_id: string) {
  return db
    .selectFrom("detection_rule_versions")
    .select(["id", "rule_id", "version", "rule", "changed_by", "changed_at"])
    .where("rule_id", "=", rule_id);
}

/** The rules that are shared with the caller and match the filters. */
function createFilteredRules(db: Db, caller: Caller, query: RuleFilters) {
  let chosen = createVisibleRules(db, caller);
  for (const [name, field] of EQUAL_FILTERS) {
    const value = query[name];
    if (value !== undefined) chosen = chosen.where(field, "=", value);
  }
  for (const condition of buildFilters(query)) chosen = chosen.where(condition);
  return chosen;
}

/** The filters that need more than equality. */
function buildFilters({ q, tag, technique, origin }: RuleFilters): RawBuilder<boolean>[] {
  const words = sql`lower(concat_ws(E'\\n', name, description, array_to_string(tags, E'\\n')))`;
  return [
    ...(q === undefined ? [] : [sql<boolean>`strpos(${words}, lower(${q})) > 0`]),
    ...(tag === undefined ? [] : [sql<boolean>`tags @> ARRAY[${tag}::text]`]),
    ...(technique === undefined ? [] : [buildTechniqueFilter(technique.toUpperCase())]),
    ...(origin === undefined ? [] : [sql<boolean>`(sigma IS NULL) = ${origin === "own"}`]),
  ];
}

/** A technique also selects its sub-techniques, as in the coverage and in the list of alerts. */
function buildTechniqueFilter(technique: string): RawBuilder<boolean> {
  const sub = sql`SELECT FROM unnest(mitre_techniques) AS each (id) WHERE starts_with(each.id, ${`${technique}.`})`;
  return sql<boolean>`(mitre_techniques @> ARRAY[${technique}::text] OR EXISTS (${sub}))`;
}

/** The rules that are shared with the caller. */
export function createVisibleRules(db: Db, { username, role }: Caller) {
  const rules = db.selectFrom("detection_rules");
  if (role === "admin") return rules;
  return rules.where((rule) =>
    rule.or([
      rule("created_by", "=", username),
      rule("sharing_mode", "=", "team"),
      rule.and([rule("sharing_mode", "=", "roles"), sql<boolean>`shared_with_roles @> ARRAY[${role}::text]`]),
    ]),
  );
}

/** Rules by their ids or by the filters of the list. */
export type ChosenRules = { ids: readonly string[] } | { filter: RuleFilters };

/** The writes of a transaction, and the reads that they need. */
export function createRulesWriter(tx: Db) {
  return {
    /** The rule, locked until the transaction ends; undefined if the caller may not see it. */
    async lock(caller: Caller, rule_id: string): Promise<RuleRow | undefined> {
      if (!isUuid(rule_id)) return undefined;
      return createVisibleRules(tx, caller)
        .select([...COLUMNS, "sigma_yaml"])
        .where("id", "=", rule_id)
        .forUpdate()
        .executeTakeFirst();
    },

    /** Up to `limit` of the selected rules that the caller may see, locked until the transaction ends. */
    lockChosen: (caller: Caller, chosen: ChosenRules, limit: number): Promise<RuleRow[]> =>
      createChosenRules(tx, caller, chosen)
        .select([...COLUMNS, "sigma_yaml"])
        .orderBy("id")
        .limit(limit)
        .forUpdate()
        .execute(),

    /**
     * The rules with these ids and those imported under these Sigma ids, regardless of who may see them. Serialises
     * imports.
     */
    async lockSigma(sigma_ids: readonly string[], rule_ids: readonly string[]): Promise<RuleRow[]> {
      await sql`SELECT pg_advisory_xact_lock(${IMPORTS_LOCK})`.execute(tx);
      return tx
        .selectFrom("detection_rules")
        .select([...COLUMNS, "sigma_yaml"])
        .where(
          sql<boolean>`((sigma ->> 'id' = ANY(${[...sigma_ids]}::text[]) AND sigma ->> 'id' <> '')
            OR id = ANY(${[...rule_ids]}::uuid[]))`,
        )
        .orderBy("id")
        .forUpdate()
        .execute();
    },

    /** The last versions of deleted rules with these ids, regardless of who may see them. */
    async findDeleted(rule_ids: readonly string[]): Promise<RuleRow[]> {
      const { rows } = await sql<Pick<RuleVersionRow, "rule">>`
        SELECT DISTINCT ON (rule_id) rule FROM detection_rule_versions
        WHERE rule_id = ANY(${[...rule_ids]}::uuid[]) ORDER BY rule_id, version DESC`.execute(tx);
      return rows.map(({ rule: { created_at, updated_at, ...rule } }) => ({
        ...rule,
        created_at: new Date(created_at),
        updated_at: new Date(updated_at),
      }));
    },

    /** The imported rules with one of these Sigma ids or names that the caller may see, newest last. */
    async findSigma(caller: Caller, references: readonly string[]): Promise<RuleRow[]> {
      if (references.length === 0) return [];
      return createVisibleRules(tx, caller)
        .select([...COLUMNS, "sigma_yaml"])
        .where(sql<boolean>`ARRAY[sigma ->> 'id', sigma ->> 'name'] && ${[...references]}::text[]`)
        .orderBy("updated_at")
        .orderBy("id")
        .execute();
    },

    /** Stores the rule and its version. */
    async insert(rule: RuleRow, version: RuleVersionRow): Promise<void> {
      await tx.insertInto("detection_rules").values(rule).execute();
      await tx.insertInto("detection_rule_versions").values(version).execute();
    },

    async update({ id, ...fields }: RuleRow, version: RuleVersionRow): Promise<void> {
      await tx.updateTable("detection_rules").set(fields).where("id", "=", id).execute();
      await tx.insertInto("detection_rule_versions").values(version).execute();
    },

    /** Deletes the rules. Their matches and versions remain until their own retention ends. */
    async delete(rule_ids: readonly string[]): Promise<void> {
      await tx
        .deleteFrom("detection_rules")
        .where(sql<boolean>`id = ANY(${[...rule_ids]}::uuid[])`)
        .execute();
    },

    /** Stores the last entry of each rule as its current state, and all versions. */
    async store(rules: readonly RuleRow[], versions: readonly RuleVersionRow[]): Promise<void> {
      const latest = [...new Map(rules.map((rule) => [rule.id, rule])).values()];
      // A restored rule continues with its next version.
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM detection_rules WHERE id = ANY(${latest.map(({ id }) => id)}::uuid[])`.execute(tx);
      const stored = new Set(rows.map(({ id }) => id));
      for (const part of toBatches(latest.filter(({ id }) => !stored.has(id)))) {
        await sql`
          INSERT INTO detection_rules
          SELECT * FROM jsonb_populate_recordset(NULL::detection_rules, ${JSON.stringify(part)}::jsonb)`.execute(tx);
      }
      for (const part of toBatches(latest.filter(({ id }) => stored.has(id)))) {
        await sql`
          UPDATE detection_rules AS rule SET ${sql.join(CHANGED.map((name) => sql`${sql.ref(name)} = given.${sql.ref(name)}`))}
          FROM jsonb_populate_recordset(NULL::detection_rules, ${JSON.stringify(part)}::jsonb) AS given
          WHERE rule.id = given.id`.execute(tx);
      }
      for (const part of toBatches(versions)) {
        await sql`
          INSERT INTO detection_rule_versions
          SELECT * FROM jsonb_populate_recordset(NULL::detection_rule_versions, ${JSON.stringify(part)}::jsonb)`.execute(
          tx,
        );
      }
    },
  };
}

function createChosenRules(tx: Db, caller: Caller, chosen: ChosenRules) {
  if ("filter" in chosen) return createFilteredRules(tx, caller, chosen.filter);
  const ids = chosen.ids.filter(isUuid);
  return createVisibleRules(tx, caller).where(sql<boolean>`id = ANY(${ids}::uuid[])`);
}

function toBatches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / RULES_BATCH_SIZE) }, (_, at) =>
    items.slice(at * RULES_BATCH_SIZE, (at + 1) * RULES_BATCH_SIZE),
  );
}

export type WorkingRules = ReturnType<typeof createWorkingRules>;

/** The rules as the workers that evaluate them read them. */
export function createWorkingRules(db: Db) {
  return {
    /** The enabled ones of these rules, regardless of who may see them. */
    find: (rule_ids: readonly string[]): Promise<RuleRow[]> =>
      db
        .selectFrom("detection_rules")
        .select([...COLUMNS, "sigma_yaml"])
        .where("enabled", "=", true)
        .where(sql<boolean>`id = ANY(${[...rule_ids]}::uuid[])`)
        .execute(),
  };
}

export function createShowcaseRulesStore(rules: readonly FoundRule[]): RulesStore {
  const visible = (caller: Caller) => rules.filter((rule) => isVisible(rule, caller));
  const listVersions = (rule_id: string) =>
    rules.filter(({ id }) => id === rule_id).map((rule) => buildVersion(rule, rule.id, rule.created_by));
  return {
    list: async (caller, query) =>
      pageInMemory(
        visible(caller).filter((rule) => isListed(rule, query)),
        toOrder(query.sort),
        query,
      ),

    find: async (caller, rule_id) => visible(caller).find(({ id }) => id === rule_id),

    versions: async (rule_id, query) => pageInMemory(listVersions(rule_id), NEWEST_VERSION_FIRST, query),

    findVersion: async (rule_id, version) => listVersions(rule_id).find((each) => each.version === version),

    next: async (caller, filter, after = "", limit) =>
      visible(caller)
        .filter((rule) => rule.id > after && isListed(rule, filter))
        .toSorted((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),

    techniques: async (caller, filter) => visible(caller).filter((rule) => rule.enabled && isListed(rule, filter)),
  };
}
