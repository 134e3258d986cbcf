import Type, { type TObject } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { TextOrNull } from "../../foundation/schema/fields.schema.ts";

export const ERROR_CODES = [
  "invalid_input",
  "not_found",
  "forbidden",
  "conflict",
  "mode_blocked",
  "approval_required",
  "budget_exceeded",
  "timeout",
  "unavailable",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const Code = Type.Enum([...ERROR_CODES], { title: "ToolErrorCode" });

/** An agent of the catalog by id or name. */
export const AgentId = Type.String({ minLength: 1, maxLength: 100 });

/** Accepted in addition to the inputs of every tool. */
export const CALL_OPTIONS = {
  agent_id: Type.Optional(AgentId),
  budget_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600_000 })),
};

export const ListToolsQuery = Type.Object({ ...PageQuery.properties, agent_id: Type.Optional(AgentId) });

const Schema = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true }));

export const ToolBody = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    permission: Type.String(),
    changes: Type.Boolean(),
    budget_ms: Type.Integer(),
    input_schema: Schema,
    output_schema: Schema,
  },
  { title: "Tool" },
);

export const FailureBody = Type.Object(
  { status: Type.Literal("error"), error_code: Code, error: Type.String() },
  { title: "ToolFailure" },
);

/** The flat envelope around the answer of a tool. */
export function EnvelopeOf({ properties }: TObject, options: { title?: string } = {}) {
  return Type.Object({ ...properties, error_code: Type.Union([Code, Type.Null()]), error: TextOrNull }, options);
}
