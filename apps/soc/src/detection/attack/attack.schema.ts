import Type, { type Static } from "typebox";
import { Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { FilterText } from "../../logs/search/logs.schema.ts";

const Covering = { rule_count: Type.Integer(), rule_ids: Type.Array(Type.String()) };

/** The ATT&CK data in its own format; the importer validates it in detail. */
export const ImportAttackRequest = Type.Object(
  {},
  { title: "ImportAttackRequest", additionalProperties: true, minProperties: 1, maxProperties: 10 },
);

export const ImportedAttackBody = Type.Object(
  {
    imported_at: Time,
    imported_by: Type.String(),
    matrices: Type.Array(Type.Object({ name: Type.String(), tactics: Type.Integer(), techniques: Type.Integer() })),
  },
  { title: "ImportedAttack" },
);

/** Selects the rules to count, as in the list of rules. */
export const CoverageQuery = Type.Object({
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  source: Type.Optional(FilterText),
});
export type CoverageQuery = Static<typeof CoverageQuery>;

export const LayerQuery = Type.Object({
  ...CoverageQuery.properties,
  matrix: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});
export type LayerQuery = Static<typeof LayerQuery>;

/** None: no rule. Waiting: rules exist, but none has run. Silent: their source sent nothing while they were due. */
export const TECHNIQUE_STATES = ["none", "waiting", "silent", "ran"] as const;

/** Unseen: nothing arrived from it for 30 days, if ever. Silent: it should send, but does not. */
export const SOURCE_STATES = ["unseen", "silent", "sending"] as const;

/** Covers enabled rules. `rule_count` counts all rules, `rule_ids` lists the first ones. */
export const CoverageBody = Type.Object(
  {
    imported_at: Type.Union([Time, Type.Null()]),
    tactics: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        shortname: Type.String(),
        matrix: Type.String(),
        techniques: Type.Integer(),
        covered: Type.Integer(),
      }),
    ),
    techniques: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        tactics: Type.Array(Type.String()),
        ...Covering,
        state: Type.Enum([...TECHNIQUE_STATES]),
        /** Rules that have evaluated some time range. */
        ran_count: Type.Integer(),
        alerts_30d: Type.Integer(),
      }),
    ),
    unknown: Type.Array(Type.Object({ id: Type.String(), ...Covering })),
    /** The sources that the rules name, silent ones first; at most 1,000. */
    sources: Type.Array(
      Type.Object({
        source: Type.String(),
        rule_count: Type.Integer(),
        state: Type.Enum([...SOURCE_STATES]),
        last_seen: TimeOrNull,
        silent_since: TimeOrNull,
      }),
    ),
  },
  { title: "AttackCoverage" },
);

/** A layer of ATT&CK Navigator, format 4.5. */
export const LayerBody = Type.Object(
  {
    name: Type.String(),
    versions: Type.Object({
      attack: Type.Optional(Type.String()),
      navigator: Type.String(),
      layer: Type.String(),
    }),
    domain: Type.String(),
    description: Type.String(),
    sorting: Type.Integer(),
    hideDisabled: Type.Boolean(),
    techniques: Type.Array(
      Type.Object({
        techniqueID: Type.String(),
        score: Type.Integer(),
        color: Type.String(),
        comment: Type.String(),
        enabled: Type.Boolean(),
        showSubtechniques: Type.Boolean(),
        metadata: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      }),
    ),
    gradient: Type.Object({ colors: Type.Array(Type.String()), minValue: Type.Integer(), maxValue: Type.Integer() }),
    legendItems: Type.Array(Type.Object({ label: Type.String(), color: Type.String() })),
  },
  { title: "AttackLayer" },
);
