import Type, { type Static } from "typebox";
import { PageQuery } from "../../foundation/lists/lists.schema.ts";
import { Instant, Time, TimeOrNull } from "../../foundation/schema/fields.schema.ts";

export const IOC_TYPES = ["ipv4", "ipv6", "cidr", "domain", "url", "email", "md5", "sha1", "sha256"] as const;
export const IOC_SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
/** The Traffic Light Protocol, version 2.0. */
export const TLP_LEVELS = ["clear", "green", "amber", "amber+strict", "red"] as const;
const EXCHANGE_FORMATS = ["stix", "misp"] as const;
export const MAX_IOCS_PER_REQUEST = 10_000;
const MAX_IN_BULK = 500;

const closed = { additionalProperties: false } as const;
const IocType = Type.Enum([...IOC_TYPES], { title: "IocType" });
const Severity = Type.Enum([...IOC_SEVERITIES], { title: "Severity" });
const Tlp = Type.Enum([...TLP_LEVELS], { title: "Tlp" });
const Format = Type.Enum([...EXCHANGE_FORMATS], { title: "IocFormat" });

function text(maxLength: number) {
  return Type.String({ minLength: 1, maxLength });
}

export const IocParams = Type.Object({ id: Type.String() });

const filters = {
  type: Type.Optional(IocType),
  /** The indicator itself, in any spelling. */
  value: Type.Optional(text(2048)),
  /** A substring of the value. */
  q: Type.Optional(Type.String({ minLength: 3, maxLength: 200 })),
  source: Type.Optional(text(100)),
  tag: Type.Optional(text(100)),
  severity: Type.Optional(Severity),
  active: Type.Optional(Type.Boolean()),
};
export const IocFilter = Type.Object(filters);
export type IocFilter = Static<typeof IocFilter>;
export const ListIocsQuery = Type.Object({ ...PageQuery.properties, ...filters });
export type ListIocsQuery = Static<typeof ListIocsQuery>;
export const ExportIocsQuery = Type.Object({ ...filters, format: Type.Optional(Format) });
export type ExportIocsQuery = Static<typeof ExportIocsQuery>;
export const ImportIocsQuery = Type.Object({ format: Format, force: Type.Optional(Type.Boolean()) });
export type ImportIocsQuery = Static<typeof ImportIocsQuery>;

const fields = {
  type: Type.Optional(IocType),
  value: text(2048),
  confidence: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  severity: Type.Optional(Severity),
  source: Type.Optional(text(100)),
  tags: Type.Optional(Type.Array(text(100), { maxItems: 50 })),
  tlp: Type.Optional(Tlp),
  first_seen: Type.Optional(Instant),
  last_seen: Type.Optional(Instant),
  expires_at: Type.Optional(Type.Union([Instant, Type.Null()])),
};
/** `force` accepts values on a warning list. */
export const CreateIocRequest = Type.Object(
  { ...fields, force: Type.Optional(Type.Boolean()) },
  { title: "CreateIocRequest", ...closed },
);
export type CreateIocRequest = Static<typeof CreateIocRequest>;
export const BulkIocsRequest = Type.Object(
  {
    items: Type.Array(Type.Object(fields, closed), { minItems: 1, maxItems: MAX_IN_BULK }),
    force: Type.Optional(Type.Boolean()),
  },
  { title: "BulkIocsRequest", ...closed },
);
export type BulkIocsRequest = Static<typeof BulkIocsRequest>;

/** Changes by people to a known indicator. A POST only widens it; this replaces the given fields. */
export const UpdateIocRequest = Type.Object(
  {
    confidence: fields.confidence,
    severity: fields.severity,
    tags: fields.tags,
    tlp: fields.tlp,
    expires_at: fields.expires_at,
  },
  { title: "UpdateIocRequest", ...closed, minProperties: 1 },
);
export type UpdateIocRequest = Static<typeof UpdateIocRequest>;

/** Values to check before storing, in any spelling. */
export const CheckIocsRequest = Type.Object(
  { values: Type.Array(text(2048), { minItems: 1, maxItems: MAX_IN_BULK }) },
  { title: "CheckIocsRequest", ...closed },
);
export type CheckIocsRequest = Static<typeof CheckIocsRequest>;

export const IocBody = Type.Object(
  {
    id: Type.String(),
    type: IocType,
    value: Type.String(),
    confidence: Type.Integer(),
    severity: Severity,
    source: Type.String(),
    tags: Type.Array(Type.String()),
    tlp: Tlp,
    first_seen: Time,
    last_seen: Time,
    expires_at: TimeOrNull,
    hits: Type.Integer(),
  },
  { title: "Ioc" },
);

/** New: would be stored. Warned: on a warning list, named in `reason`. Refused: not an indicator. */
const CHECK_STATES = ["new", "known", "warned", "refused"] as const;

/** The result of storing each of the values, in order. */
export const CheckedIocsBody = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        given: Type.String(),
        state: Type.Enum([...CHECK_STATES]),
        type: Type.Union([IocType, Type.Null()]),
        /** In its canonical spelling. */
        value: Type.Union([Type.String(), Type.Null()]),
        reason: Type.Union([Type.String(), Type.Null()]),
        /** The id of the known indicator. */
        id: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
  },
  { title: "CheckedIocs" },
);
export type CheckedIocs = Static<typeof CheckedIocsBody>;

/** Includes the state of the search in stored logs. */
export const IocDetailBody = Type.Object(
  {
    ...IocBody.properties,
    searched_at: TimeOrNull,
    search_is_capped: Type.Boolean(),
  },
  { title: "IocDetail" },
);

export const IocHitBody = Type.Object(
  {
    id: Type.String(),
    log_id: Type.String(),
    log_ingested_at: Time,
    seen_at: Time,
  },
  { title: "IocHit" },
);

export const ImportedIocsBody = Type.Object(
  {
    created: Type.Integer(),
    merged: Type.Integer(),
    refused: Type.Array(Type.Object({ object: Type.Integer(), id: Type.String(), reason: Type.String() })),
  },
  { title: "ImportedIocs" },
);
