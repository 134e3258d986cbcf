import Type, { type Static } from "typebox";

const MAX_BATCH_REQUESTS = 20;

const closed = { additionalProperties: false } as const;

const BatchedRequest = Type.Object(
  {
    method: Type.Optional(Type.String({ maxLength: 10, description: "GET, which is also the default" })),
    path: Type.String({ minLength: 1, maxLength: 4000, description: "below /api/v1, with its query" }),
  },
  { title: "BatchedRequest", ...closed },
);
export type BatchedRequest = Static<typeof BatchedRequest>;

export const BatchRequest = Type.Object(
  { requests: Type.Array(BatchedRequest, { minItems: 1, maxItems: MAX_BATCH_REQUESTS }) },
  { title: "BatchRequest", ...closed },
);

/** The handler writes the JSON text itself, because its parts are JSON texts. */
export const BatchBody = Type.Unsafe<string>(
  Type.Object(
    {
      responses: Type.Array(Type.Object({ status: Type.Integer(), body: Type.Unknown() }), {
        description: "in the order of the requests",
      }),
    },
    { title: "BatchResult" },
  ),
);
