import Type, { type Static } from "typebox";
import { PageOf } from "../../foundation/lists/lists.schema.ts";

const Name = Type.String({ minLength: 1, maxLength: 200 });

export const IngestQuery = Type.Object({ source: Type.Optional(Name), site: Type.Optional(Name) });
export type IngestQuery = Static<typeof IngestQuery>;

export const IngestHeaders = Type.Object({
  "x-batch-id": Type.Optional(Name),
  "content-encoding": Type.Optional(Type.String({ maxLength: 100 })),
  "content-type": Type.Optional(Type.String({ maxLength: 200 })),
});
export type IngestHeaders = Static<typeof IngestHeaders>;

export const IngestAnswer = Type.Object(
  {
    accepted: Type.Integer(),
    rejected: Type.Integer(),
    dead_letter_ids: Type.Array(Type.String()),
  },
  { title: "IngestAnswer" },
);

export const HecAnswer = Type.Object(
  {
    text: Type.String(),
    code: Type.Integer(),
    "invalid-event-number": Type.Optional(Type.Integer()),
  },
  { title: "HecAnswer" },
);

/** The metadata of the lines of a raw body. */
export const HecRawQuery = Type.Object({
  ...IngestQuery.properties,
  host: Type.Optional(Name),
  sourcetype: Type.Optional(Name),
  index: Type.Optional(Name),
  time: Type.Optional(Name),
});

export const BulkPath = Type.Object({ index: Type.String({ minLength: 1, maxLength: 255 }) });

/** The parts of Elasticsearch's responses that senders check before they send. */
export const ElasticInfo = Type.Object(
  {
    name: Type.String(),
    cluster_name: Type.String(),
    cluster_uuid: Type.String(),
    version: Type.Object({
      number: Type.String(),
      build_flavor: Type.String(),
      build_type: Type.String(),
      build_snapshot: Type.Boolean(),
      minimum_wire_compatibility_version: Type.String(),
      minimum_index_compatibility_version: Type.String(),
    }),
    tagline: Type.String(),
  },
  { title: "ElasticInfo" },
);

export const ElasticLicense = Type.Object(
  {
    license: Type.Object({ status: Type.String(), uid: Type.String(), type: Type.String(), issued_to: Type.String() }),
  },
  { title: "ElasticLicense" },
);

export const ElasticHealth = Type.Object(
  {
    cluster_name: Type.String(),
    status: Type.String(),
    timed_out: Type.Boolean(),
    number_of_nodes: Type.Integer(),
    number_of_data_nodes: Type.Integer(),
  },
  { title: "ElasticHealth" },
);

export const DeadLetterBody = Type.Object(
  {
    id: Type.String(),
    at: Type.String({ format: "date-time" }),
    format: Type.String(),
    sender: Type.String(),
    site: Type.String(),
    source: Type.String(),
    reason: Type.String(),
    raw: Type.String(),
    is_cut: Type.Boolean(),
  },
  { title: "DeadLetter" },
);
export type DeadLetterBody = Static<typeof DeadLetterBody>;
export const DeadLetterPage = PageOf(DeadLetterBody);

export const DeadLetterPath = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

/** A text to parse instead of the stored one. */
export const ReplayRequest = Type.Object(
  { raw: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 * 1024 })) },
  { title: "ReplayDeadLetterRequest", additionalProperties: false },
);
export type ReplayRequest = Static<typeof ReplayRequest>;
