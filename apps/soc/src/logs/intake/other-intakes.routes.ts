import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import type { Bodies } from "./formats/body.ts";
import { buildBulkAnswer, readBulkItems } from "./formats/bulk-events.ts";
import { readHecEvents } from "./formats/hec-events.ts";
import { isDeeperThan, parsed, requireFewObjects } from "./formats/json-values.ts";
import { buildPartialSuccess } from "./formats/otlp-answer.ts";
import { readOtlpEvents } from "./formats/otlp-events.ts";
import { exportRequestIn } from "./formats/otlp-protobuf.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { HecAnswer, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

const schema = { querystring: IngestQuery, headers: IngestHeaders };
// Each value of OTLP's JSON is an object nested in an object.
const OTLP_LEVELS = 200;
// Each attribute is two objects.
const OTLP_OBJECTS = 2_000_000;
const PROTOBUF = "application/x-protobuf";

/** The intake protocols of other products, at the paths that their senders use. */
export function otherIntakesRoutes(
  intake: IntakeService,
  bodies: Bodies,
  clock: Pick<Clock, "monotonicMs">,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/services/collector/event",
      { config: { ...INTAKE_CONFIG, keySchemes: ["splunk"] }, schema: { ...schema, response: { 200: HecAnswer } } },
      async (request) => {
        await bodies.use(request.raw, (body) =>
          intake.accept(readHecEvents(body.toString("utf8")), readOrigin(request, "hec")),
        );
        return { text: "Success", code: 0 };
      },
    );

    app.get(
      "/services/collector/health",
      { config: { needs: "public", isCountedApart: true }, schema: { response: { 200: HecAnswer } } },
      // One of the collector's documented codes.
      async () => ({ text: "HEC is healthy", code: 17 }),
    );

    app.post(
      "/_bulk",
      { config: { ...INTAKE_CONFIG, keySchemes: ["apikey", "basic"] }, schema },
      async (request, reply) => {
        const startMs = clock.monotonicMs();
        // Elastic's clients check this header before they accept an answer.
        reply.header("x-elastic-product", "Elasticsearch");
        return bodies.use(request.raw, async (body) => {
          const items = readBulkItems(body.toString("utf8"));
          const { refused } = await intake.accept(
            items.map(({ found }) => found),
            readOrigin(request, "bulk"),
          );
          return buildBulkAnswer(items, refused, clock.monotonicMs() - startMs);
        });
      },
    );

    app.get(
      "/_cat/health",
      {
        config: { needs: "public", isCountedApart: true },
        schema: { response: { 200: Type.String() } },
      },
      // rsyslog requests this before it sends. It reads only the status.
      async (_request, reply) => reply.type("text/plain").send("manara green\n"),
    );

    app.post("/v1/logs", { config: INTAKE_CONFIG, schema }, async (request, reply) => {
      const isProtobuf = (request.headers["content-type"] ?? "").startsWith(PROTOBUF);
      return bodies.use(request.raw, async (body) => {
        const found = readOtlpEvents(isProtobuf ? exportRequestIn(body) : jsonIn(body));
        if (!found) throw invalidField("body", "must be an ExportLogsServiceRequest");
        const { refused } = await intake.accept(found, readOrigin(request, "otlp"));
        const { json, protobuf } = buildPartialSuccess(refused);
        return isProtobuf ? reply.type(PROTOBUF).send(protobuf) : reply.type("application/json").send(json);
      });
    });
  };
}

function jsonIn(body: Buffer): unknown {
  const text = body.toString("utf8");
  requireFewObjects(text, OTLP_OBJECTS);
  return isDeeperThan(text, OTLP_LEVELS) ? undefined : parsed(text);
}
