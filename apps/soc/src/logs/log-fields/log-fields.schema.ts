import Type, { type Static } from "typebox";
import { Coverage, FieldName } from "../log-summaries/log-summaries.schema.ts";
import { LogWindowQuery, QueryText } from "../search/logs.schema.ts";
import { SEARCH_ID } from "../searches/searches.schema.ts";

const MAX_FIELDS = 500;
const MAX_VALUES = 100;
const Part = Type.String({ maxLength: 500 });

export const LogFieldsQuery = Type.Object({
  ...SEARCH_ID,
  q: Type.Optional(Part),
  query: Type.Optional(QueryText),
  ...LogWindowQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_FIELDS })),
});
export type LogFieldsQuery = Static<typeof LogFieldsQuery>;

const LogFieldBody = Type.Object(
  {
    name: Type.String(),
    type: Type.String({
      description:
        "of a field: id, text, long text, instant, severity, address, port; of an attribute: text, number, boolean, list, or unknown if the sample has none",
    }),
    share: Type.Number({ description: "how many of the logs have a value, from 0 to 1" }),
    examples: Type.Array(Type.String()),
  },
  { title: "LogField" },
);
export type LogFieldShown = Static<typeof LogFieldBody>;

export const LogFieldsBody = Type.Object(
  {
    ...Coverage,
    items: Type.Array(LogFieldBody),
    sampled: Type.Integer({ description: "how many of the newest logs gave the examples, types and shares of fields" }),
    has_more: Type.Boolean(),
  },
  { title: "LogFieldList" },
);
export type LogFieldsFound = Static<typeof LogFieldsBody>;

export const FieldParams = Type.Object({ name: FieldName });
export const FieldValuesQuery = Type.Object({
  ...SEARCH_ID,
  prefix: Type.Optional(Part),
  query: Type.Optional(QueryText),
  ...LogWindowQuery.properties,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_VALUES })),
});
export type FieldValuesQuery = Static<typeof FieldValuesQuery>;

export const FieldValuesBody = Type.Object(
  {
    ...Coverage,
    field: Type.String(),
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
  },
  { title: "LogFieldValues" },
);
export type FieldValues = Static<typeof FieldValuesBody>;

export const ValidateRequest = Type.Object(
  { query: QueryText },
  { title: "ValidateQueryRequest", additionalProperties: false },
);
export const ValidateBody = Type.Object(
  {
    valid: Type.Boolean(),
    problems: Type.Array(Type.Object({ message: Type.String(), from: Type.Integer(), to: Type.Integer() }), {
      description: "places count UTF-16 units from 0; to is exclusive",
    }),
  },
  { title: "ValidatedQuery" },
);
