import Type, { type Static } from "typebox";
import { PageOf, PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Id, TextOrNull, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";
import { SiteFilter, SiteNameOrText } from "../../identity/sites/site-fields.schema.ts";

export const EDR_ACTIONS = ["isolate", "unisolate", "scan"] as const;
export type EdrActionName = (typeof EDR_ACTIONS)[number];
/** `recorded`: nothing was sent, and a person must act. `blocked`: it was not and will not be carried out. */
export const EDR_ACTION_STATUSES = ["completed", "dispatched", "recorded", "blocked"] as const;
export type EdrActionStatus = (typeof EDR_ACTION_STATUSES)[number];
export const DESIRED_STATES = ["normal", "isolated"] as const;
export const REPORTED_STATES = ["unknown", "normal", "isolated"] as const;
/** `pending`: the desired state differs from the reported one; the other values are reported states. */
const ISOLATION_FILTERS = [...REPORTED_STATES, "pending"] as const;
export const CIRCUIT_STATES = ["none", "closed", "open", "half_open"] as const;

const closed = { additionalProperties: false } as const;

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

export const EndpointPath = Type.Object({ id: Type.String() });

export const ListEndpointsQuery = Type.Object({
  ...PageQuery.properties,
  site: Type.Optional(SiteFilter),
  status: Type.Optional(Type.Enum(["online", "offline"])),
  os: Type.Optional(text(100)),
  isolation: Type.Optional(Type.Enum([...ISOLATION_FILTERS])),
  q: Type.Optional(text(200)),
});
export type ListEndpointsQuery = Static<typeof ListEndpointsQuery>;

/** The report of an endpoint. The first one needs a hostname; later ones may contain only changes. */
export const HeartbeatRequest = Type.Object(
  {
    hostname: Type.Optional(text(255)),
    ip: Type.Optional(text(45)),
    os: Type.Optional(text(100)),
    site: Type.Optional(SiteNameOrText),
    agent_version: Type.Optional(text(100)),
    risk: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    /** The actual state. An endpoint cannot set the desired state. */
    isolation: Type.Optional(Type.Enum([...DESIRED_STATES])),
  },
  { title: "HeartbeatRequest", ...closed },
);
export type HeartbeatRequest = Static<typeof HeartbeatRequest>;

export const EdrActionRequest = Type.Object(
  {
    reason: Type.Optional(text(1000)),
    case_id: Type.Optional(Id),
    /**
     * When an isolation ends automatically, at most 30 days; null means never. If absent, the isolation in force
     * decides.
     */
    release_after_minutes: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 43_200 }), Type.Null()])),
  },
  { title: "EdrActionRequest", ...closed },
);
export type EdrActionRequest = Static<typeof EdrActionRequest>;
/** All fields are optional, and so is the body. */
export const IsolateRequestBody = Type.Unsafe<EdrActionRequest | null>({
  ...EdrActionRequest,
  title: "IsolateRequest",
  type: ["object", "null"],
});
/** Only an isolation can have a release time. */
export const EdrActionRequestBody = Type.Unsafe<EdrActionRequest | null>({
  ...Type.Omit(EdrActionRequest, ["release_after_minutes"]),
  ...closed,
  title: "EdrActionRequest",
  type: ["object", "null"],
});

export const EndpointBody = Type.Object(
  {
    id: Type.String(),
    hostname: Type.String(),
    ip: TextOrNull,
    os: TextOrNull,
    site: TextOrNull,
    agent_version: TextOrNull,
    status: Type.Enum(["online", "offline"]),
    isolation: Type.Object({
      desired: Type.Enum([...DESIRED_STATES]),
      reported: Type.Enum([...REPORTED_STATES]),
    }),
    last_seen: Time,
    risk: Type.Integer(),
  },
  { title: "Endpoint" },
);
export type EndpointBody = Static<typeof EndpointBody>;

export const EdrStatsBody = Type.Object(
  {
    total: Type.Integer(),
    online: Type.Integer(),
    offline: Type.Integer(),
    /** Counted by reported state. */
    isolated: Type.Integer(),
    pending_actions: Type.Integer(),
    by_os: Type.Record(Type.String(), Type.Integer()),
    by_site: Type.Record(Type.String(), Type.Integer()),
    adapter: Type.Object({ configured: Type.Boolean(), state: Type.Enum([...CIRCUIT_STATES]) }),
  },
  { title: "EdrStats" },
);
export type EdrStatsBody = Static<typeof EdrStatsBody>;

export const EdrActionBody = Type.Object(
  {
    id: Type.String(),
    action_id: Type.String(),
    endpoint_id: Type.String(),
    action: Type.Enum([...EDR_ACTIONS]),
    status: Type.Enum([...EDR_ACTION_STATUSES]),
    adapter: TextOrNull,
    /** When the isolation ends automatically. */
    release_at: TimeOrNull,
  },
  { title: "EdrAction" },
);

/** The answer under four eyes: the action needs the approval of another person and has not been carried out. */
export const EdrPendingBody = Type.Object(
  {
    action_id: Type.Null(),
    endpoint_id: Type.String(),
    action: Type.Enum([...EDR_ACTIONS]),
    status: Type.Literal("pending_approval"),
    adapter: Type.Null(),
    release_at: Type.Null(),
    approval_id: Type.String(),
    requires_approval: Type.Boolean(),
    message: Type.String(),
  },
  { title: "PendingEdrAction" },
);
export type EdrPendingAnswer = Static<typeof EdrPendingBody>;

export const ApprovalQuery = Type.Object({ approval_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })) });

const effect = Type.Object(
  {
    summary: Type.String(),
    sends: Type.Array(
      Type.Object({
        destination: Type.String(),
        method: Type.String(),
        url: Type.String(),
        body: Type.Object({}, { additionalProperties: true }),
      }),
    ),
  },
  { title: "EdrEffect" },
);

/** The dry_run answer: the action, or the approval that it needs, and the exact request. */
export const EdrActionPreviewBody = Type.Object(
  {
    dry_run: Type.Boolean(),
    preview: Type.Union([
      Type.Object({ ...EdrPendingBody.properties, effect }),
      Type.Object({ ...EdrActionBody.properties, effect }),
    ]),
  },
  { title: "EdrActionPreview" },
);

export const EdrActionRecordBody = Type.Object(
  {
    ...EdrActionBody.properties,
    hostname: Type.String(),
    simulated: Type.Boolean(),
    reason: TextOrNull,
    case_id: TextOrNull,
    requested_by: Type.String(),
    requested_at: Time,
    settled_at: TimeOrNull,
    error: TextOrNull,
    release_at: TimeOrNull,
    ended_at: TimeOrNull,
  },
  { title: "EdrActionRecord" },
);
export type EdrActionRecord = Static<typeof EdrActionRecordBody>;

export const EndpointsPage = PageOf(EndpointBody);
export const EdrActionsPage = PageOf(EdrActionRecordBody);

export const ListActionsQuery = Type.Object({
  ...PageQuery.properties,
  /** If true, only isolations that have not ended. */
  in_force: Type.Optional(Type.Boolean()),
});
export type ListActionsQuery = Static<typeof ListActionsQuery>;
