import Type, { type Static } from "typebox";
import { ROLES } from "../../foundation/caller/permissions.schema.ts";
import { TextOrNull, Time } from "../../foundation/schema/fields.schema.ts";
import { FilterText, LogBody, LogSeverityWord, LogWindowQuery, PartialBody, QueryText } from "../search/logs.schema.ts";

export const SHARING_MODES = ["private", "team", "roles"] as const;

const closed = { additionalProperties: false } as const;
const Title = Type.String({ minLength: 1, maxLength: 200 });
const Description = Type.String({ maxLength: 20_000 });
const Sharing = Type.Enum([...SHARING_MODES], { title: "SharingMode" });
const Roles = Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 });

const fields = {
  description: Type.Optional(Description),
  query: Type.Optional(QueryText),
  source: Type.Optional(Type.Union([FilterText, Type.Null()])),
  severity: Type.Optional(Type.Union([LogSeverityWord, Type.Null()])),
  host: Type.Optional(Type.Union([FilterText, Type.Null()])),
  sharing_mode: Type.Optional(Sharing),
  shared_with_roles: Type.Optional(Roles),
  tags: Type.Optional(Tags),
};

export const HuntParams = Type.Object({ hunt_id: Type.String() });

export const CreateHuntRequest = Type.Object({ title: Title, ...fields }, { title: "CreateHuntRequest", ...closed });
export type CreateHuntRequest = Static<typeof CreateHuntRequest>;

export const UpdateHuntRequest = Type.Object(
  { title: Type.Optional(Title), ...fields },
  { title: "UpdateHuntRequest", ...closed },
);
export type UpdateHuntRequest = Static<typeof UpdateHuntRequest>;

export const RunHuntQuery = Type.Object({
  ...LogWindowQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export type RunHuntQuery = Static<typeof RunHuntQuery>;

export const HuntBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    query: Type.String(),
    source: TextOrNull,
    severity: Type.Union([LogSeverityWord, Type.Null()]),
    host: TextOrNull,
    sharing_mode: Sharing,
    shared_with_roles: Roles,
    tags: Type.Array(Type.String()),
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
  },
  { title: "Hunt" },
);
export type HuntBody = Static<typeof HuntBody>;

export const HuntRunBody = Type.Object(
  {
    hunt: HuntBody,
    total: Type.Integer(),
    total_is_estimate: Type.Optional(Type.Boolean()),
    logs: Type.Array(LogBody),
    ...PartialBody,
  },
  { title: "HuntRun" },
);
