import Type, { type Static } from "typebox";
import { Instant, TextOrNull } from "../../foundation/schema/fields.schema.ts";
import { FilterText, LogWindowQuery } from "../search/logs.schema.ts";
import { SEARCH_ID } from "../searches/searches.schema.ts";

export const ProcessTreeQuery = Type.Object({
  ...SEARCH_ID,
  host: FilterText,
  pid: Type.Optional(Type.String({ pattern: "^(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})$" })),
  guid: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  at: Type.Optional(Instant),
  ...LogWindowQuery.properties,
});
export type ProcessTreeQuery = Static<typeof ProcessTreeQuery>;

export const ProcessBody = Type.Object(
  {
    id: Type.String({ description: "the guid of the process, or its number" }),
    parent_id: TextOrNull,
    name: TextOrNull,
    command_line: TextOrNull,
    user: TextOrNull,
    started_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
    log_id: TextOrNull,
  },
  { title: "Process" },
);

export const ProcessTreeBody = Type.Object(
  {
    host: Type.String(),
    nodes: Type.Array(
      Type.Object({
        ...ProcessBody.properties,
        alerts: Type.Array(Type.String(), { description: "the newest 20 alerts that name the log of its start" }),
      }),
    ),
    edges: Type.Array(Type.Object({ from: Type.String(), to: Type.String() })),
    is_partial: Type.Boolean({ description: "whether the host has, or may have, more process events than were read" }),
  },
  { title: "ProcessTree" },
);
export type ProcessTree = Static<typeof ProcessTreeBody>;
