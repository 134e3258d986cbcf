import Type, { type Static } from "typebox";
import { Time } from "../../foundation/schema/fields.schema.ts";

export const CHANNEL_KINDS = ["webhook", "email", "chat"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

const closed = { additionalProperties: false } as const;
const Kind = Type.Enum([...CHANNEL_KINDS], { title: "ChannelKind" });
const Name = Type.String({ minLength: 1, maxLength: 100 });

/** Only nouns that every role with permission to create channels may read; users and hunts are excluded. */
const NOUNS =
  "alert|case|evidence|approval|playbook|execution|automation|endpoint|device|attestation|rule|report|ioc|agent";
const Events = Type.Array(
  Type.String({ pattern: `^(${NOUNS})\\.(\\*|[a-z_]{1,50})$`, description: "such as approval.requested or alert.*" }),
  { maxItems: 100 },
);

/** Accepted and stored, never returned. */
const Settings = Type.Object(
  {
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    secret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
    to: Type.Optional(Type.Array(Type.String({ format: "email", maxLength: 254 }), { minItems: 1, maxItems: 50 })),
  },
  { title: "ChannelSettings", ...closed },
);
export type ChannelSettings = Static<typeof Settings>;

export const CreateChannelRequest = Type.Object(
  {
    name: Name,
    kind: Kind,
    settings: Settings,
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean()),
  },
  { title: "CreateChannelRequest", ...closed },
);
export type CreateChannelRequest = Static<typeof CreateChannelRequest>;

export const UpdateChannelRequest = Type.Object(
  {
    name: Type.Optional(Name),
    settings: Type.Optional(Settings),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean()),
  },
  { title: "UpdateChannelRequest", ...closed },
);
export type UpdateChannelRequest = Static<typeof UpdateChannelRequest>;

export const ChannelPath = Type.Object({ id: Type.String() });

export const ChannelBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Kind,
    settings: Type.Object({
      host: Type.Optional(Type.String()),
      to: Type.Optional(Type.Array(Type.String())),
      has_secret: Type.Boolean(),
    }),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    created_by: Type.String(),
    created_at: Time,
    updated_at: Time,
    approval_id: Type.Optional(
      Type.String({ description: "with four eyes: disabled until another person decides this approval" }),
    ),
  },
  { title: "Channel" },
);
export type ChannelBody = Static<typeof ChannelBody>;
