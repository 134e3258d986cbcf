import type { Clock } from "@kit/clock";
import { invalidField } from "@kit/problem";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import { elasticRoutes, rootRoutes } from "./elastic.routes.ts";
import type { Bodies } from "./formats/body.ts";
import { isDeeperThan, parsed, requireFewObjects } from "./formats/json-values.ts";
import { buildPartialSuccess } from "./formats/otlp-answer.ts";
import { readOtlpEvents } from "./formats/otlp-events.ts";
import { exportRequestIn } from "./formats/otlp-protobuf.ts";
import { hecRoutes } from "./hec.routes.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

const schema = { querystring: IngestQuery, headers: IngestHeaders };
// Each value of OTLP's JSON is an object nested in an object.
const OTLP_LEVELS = 200;
// Each attribute is two objects.
const OTLP_OBJECTS = 2_000_000;
const PROTOBUF = "application/x-protobuf";

/** The intake protocols of other products, at the paths that their senders use. */
export function otherIntakesRoutes(intake: IntakeService, bodies: Bodies, clock: Pick<Clock, "monotonicMs">): Routes {
  return async (app) => {
    await app.register(hecRoutes(intake, bodies));
    await app.register(elasticRoutes(intake, bodies, clock));
    await app.register(rootRoutes());

    app.post(
      "/v1/logs",
      operation("ingestOtlpLogs", "Ingest OpenTelemetry logs", INTAKE_CONFIG, { ...schema }),
      async (request, reply) => {
        const isProtobuf = (request.headers["content-type"] ?? "").startsWith(PROTOBUF);
        return bodies.use(request.raw, async (body) => {
          const found = readOtlpEvents(isProtobuf ? exportRequestIn(body) : jsonIn(body));
          if (!found) throw invalidField("body", "must be an ExportLogsServiceRequest");
          const { refused } = await intake.accept(found, readOrigin(request, "otlp"));
          const { json, protobuf } = buildPartialSuccess(refused);
          return isProtobuf ? reply.type(PROTOBUF).send(protobuf) : reply.type("application/json").send(json);
        });
      },
    );
  };
}

function jsonIn(body: Buffer): unknown {
  const text = body.toString("utf8");
  requireFewObjects(text, OTLP_OBJECTS);
  return isDeeperThan(text, OTLP_LEVELS) ? undefined : parsed(text);
}
