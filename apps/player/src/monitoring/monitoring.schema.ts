import Type, { type Static } from "typebox";

const closed = { additionalProperties: false } as const;

export const MONITORING_STATES = ["off", "enrolling", "on", "waiting", "expired", "refused"] as const;
export type MonitoringState = (typeof MONITORING_STATES)[number];

export const SENT_KINDS = ["enrolment", "renewal", "receipt", "answer", "events"] as const;
export type SentKind = (typeof SENT_KINDS)[number];

const Seconds = Type.Union([Type.Integer(), Type.Null()]);
const Text = Type.Union([Type.String(), Type.Null()]);

export const MonitoringBody = Type.Object(
  {
    state: Type.Enum([...MONITORING_STATES], {
      description:
        "waiting: enrolled, and the platform or its broker is unreachable; expired: needs a new code; refused: the platform revoked the device",
    }),
    device_id: Text,
    address: Type.Union([Type.String(), Type.Null()], { description: "of the platform, host:port" }),
    certificate_ends_at: Type.Union([Type.Integer(), Type.Null()], { description: "epoch seconds" }),
    broker: Type.Enum(["none", "connecting", "connected"], {
      description: "none: not enrolled, or the platform has none",
    }),
    last_attested_at: Type.Union([Type.Integer(), Type.Null()], {
      description: "epoch seconds; when the last answer was delivered",
    }),
    last_error: Text,
    events: Type.Object(
      {
        waiting: Type.Integer(),
        dropped: Type.Integer({ description: "events that were lost because the queue was full or refused" }),
      },
      { title: "EventQueue" },
    ),
  },
  { title: "Monitoring" },
);
export type MonitoringBody = Static<typeof MonitoringBody>;

export const EnrolRequest = Type.Object(
  {
    address: Type.String({ minLength: 1, maxLength: 300 }),
    code: Type.String({ minLength: 1, maxLength: 100 }),
    authority_fingerprint: Type.String({ minLength: 1, maxLength: 100 }),
  },
  { title: "EnrolRequest", ...closed },
);
export type EnrolRequest = Static<typeof EnrolRequest>;

export const EnrolResult = Type.Object(
  { success: Type.Boolean(), ...MonitoringBody.properties },
  { title: "EnrolResult" },
);

const SentCounts = Type.Object(
  {
    enrolment: Type.Integer(),
    renewal: Type.Integer(),
    receipt: Type.Integer(),
    answer: Type.Integer(),
    events: Type.Integer(),
  },
  { title: "SentCounts" },
);
export type SentCounts = Static<typeof SentCounts>;

/** What the platform knows and this device cannot delete there. */
export const RemovalResult = Type.Object(
  {
    success: Type.Boolean(),
    platform_keeps: Type.Union([
      Type.Object({ address: Type.String(), device_id: Type.String(), messages: SentCounts }),
      Type.Null(),
    ]),
  },
  { title: "StopMonitoringResult" },
);
export type RemovalBody = Static<typeof RemovalResult>;

export const SentQuery = Type.Object({ cursor: Type.Optional(Type.Integer({ minimum: 1 })) });

export const SentMessage = Type.Object(
  {
    id: Type.Integer(),
    at: Type.Integer({ description: "epoch seconds" }),
    kind: Type.Enum([...SENT_KINDS]),
    bytes: Type.Integer(),
    delivered: Type.Boolean({ description: "the platform or its broker has acknowledged it" }),
    content: Type.String({ description: "as it was sent, without the code of an enrolment" }),
  },
  { title: "SentMessage" },
);
export type SentMessage = Static<typeof SentMessage>;

export const SentBody = Type.Object(
  {
    items: Type.Array(SentMessage),
    next_cursor: Seconds,
    removed: Type.Object({
      count: Type.Integer({ description: "older messages that are not listed any more" }),
      until: Type.Union([Type.Integer(), Type.Null()], {
        description: "when the newest of them was sent, epoch seconds",
      }),
    }),
  },
  { title: "SentMessagePage" },
);
export type SentBody = Static<typeof SentBody>;
