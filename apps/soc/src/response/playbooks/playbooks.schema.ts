import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Time } from "../../foundation/schema/fields.schema.ts";

const ON_ERROR = ["stop", "continue", "compensate"] as const;

const closed = { additionalProperties: false } as const;
const Params = Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, maxProperties: 50 }));

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

const Compensation = Type.Object({ action: text(50), params: Type.Optional(Params) }, closed);

const StepRequest = Type.Object(
  {
    id: Type.String({ pattern: "^[a-z][a-z0-9_-]{0,49}$" }),
    name: Type.Optional(text(200)),
    action: text(50),
    params: Type.Optional(Params),
    when: Type.Optional(Type.Union([text(1000), Type.Null()])),
    timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600 })),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 5 })),
    on_error: Type.Optional(Type.Enum([...ON_ERROR])),
    compensate: Type.Optional(Type.Union([Compensation, Type.Null()])),
  },
  closed,
);
export type StepRequest = Static<typeof StepRequest>;

const INPUT_TYPES = ["text", "number", "boolean", "list"] as const;
const InputName = Type.String({ pattern: "^[a-z][a-z0-9_]{0,49}$" });

/** `from`: the field of the alert or case that supplies the value if the parameters do not. */
const InputRequest = Type.Object(
  {
    name: InputName,
    type: Type.Optional(Type.Enum([...INPUT_TYPES])),
    required: Type.Optional(Type.Boolean()),
    from: Type.Optional(Type.Union([Type.String({ pattern: "^(alert|case)\\.[a-z0-9_]{1,50}$" }), Type.Null()])),
    description: Type.Optional(Type.String({ maxLength: 500 })),
  },
  closed,
);
export type InputRequest = Static<typeof InputRequest>;

export const PlaybookInputBody = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum([...INPUT_TYPES]),
    required: Type.Boolean(),
    from: Type.Union([Type.String(), Type.Null()]),
    description: Type.String(),
  },
  { title: "PlaybookInput" },
);

/** A required input without a value. */
export const MissingInputBody = Type.Pick(PlaybookInputBody, ["name", "type", "description"], {
  title: "MissingInput",
});

const ApprovalPolicy = Type.Object(
  { four_eyes: Type.Optional(Type.Boolean()), quorum: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })) },
  closed,
);

const PlaybookId = Type.String({ pattern: "^[a-z][a-z0-9-]{0,79}$" });

/** A playbook as users write it. Its steps can force `critical` to true, never to false. */
export const PlaybookRequest = Type.Object(
  {
    id: Type.Optional(PlaybookId),
    name: text(200),
    description: Type.Optional(Type.String({ maxLength: 5000 })),
    critical: Type.Optional(Type.Boolean()),
    trigger: Type.Optional(Type.String({ maxLength: 500 })),
    inputs: Type.Optional(Type.Array(InputRequest, { maxItems: 50 })),
    approval: Type.Optional(Type.Union([ApprovalPolicy, Type.Null()])),
    steps: Type.Array(StepRequest, { minItems: 1, maxItems: 50 }),
  },
  closed,
);
export type PlaybookRequest = Static<typeof PlaybookRequest>;

const Yaml = Type.String({ minLength: 1, maxLength: 262_144 });

/** The playbook as JSON or YAML. `checkPlaybook` validates it, because it reports all problems with positions. */
export const WrittenPlaybook = Type.Object(
  {
    yaml: Type.Optional(Yaml),
    ...Object.fromEntries(Object.keys(PlaybookRequest.properties).map((name) => [name, Type.Optional(Type.Unknown())])),
  },
  { title: "WrittenPlaybook", ...closed },
);
export type WrittenPlaybook = { yaml?: string } & Record<string, unknown>;

export const ImportPlaybooksRequest = Type.Object({ yaml: Yaml }, { title: "ImportPlaybooksRequest", ...closed });

export const PlaybookPath = Type.Object({ id: Type.String({ maxLength: 200 }) });

export const ListPlaybooksQuery = Type.Object({
  ...PageQuery.properties,
  enabled: Type.Optional(Type.Boolean()),
  critical: Type.Optional(Type.Boolean()),
  for_alert: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: "only playbooks that take values from an alert and whose requirements this alert meets",
    }),
  ),
});
export type ListPlaybooksQuery = Static<typeof ListPlaybooksQuery>;

const StepBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    action: Type.String(),
    params: Params,
    when: Type.Union([Type.String(), Type.Null()]),
    timeout_s: Type.Integer(),
    retries: Type.Integer(),
    on_error: Type.Enum([...ON_ERROR]),
    compensate: Type.Union([Type.Object({ action: Type.String(), params: Params }), Type.Null()]),
  },
  { title: "PlaybookStep" },
);

export const PlaybookBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    critical: Type.Boolean(),
    enabled: Type.Boolean(),
    version: Type.Integer(),
    trigger: Type.String(),
    inputs: Type.Array(PlaybookInputBody),
    approval: Type.Union([Type.Object(ApprovalPolicy.properties), Type.Null()]),
    steps: Type.Array(StepBody),
    updated_by: Type.String(),
    created_at: Time,
    updated_at: Time,
  },
  { title: "Playbook" },
);

export const PlaybookVersionBody = Type.Object(
  {
    id: Type.String(),
    playbook_id: Type.String(),
    version: Type.Integer(),
    changed_by: Type.String(),
    changed_at: Time,
    playbook: PlaybookBody,
  },
  { title: "PlaybookVersion" },
);

const PlaceInt = Type.Union([Type.Integer(), Type.Null()]);

export const ValidatedPlaybookBody = Type.Object(
  {
    valid: Type.Boolean(),
    critical: Type.Boolean(),
    steps_total: Type.Integer(),
    problems: Type.Array(
      Type.Object({ field: Type.String(), message: Type.String(), line: PlaceInt, column: PlaceInt }),
    ),
  },
  { title: "ValidatedPlaybook" },
);

export const ImportedPlaybooksBody = Type.Object(
  {
    items: Type.Array(Type.Object({ result: Type.Enum(["created", "updated", "unchanged"]), playbook: PlaybookBody })),
  },
  { title: "ImportedPlaybooks" },
);
