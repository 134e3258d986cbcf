import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Bodies } from "./formats/body.ts";
import { buildHecAnswer, NO_DATA, toHecError } from "./formats/hec-answer.ts";
import { readHecEvents, readHecLines } from "./formats/hec-events.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { HecAnswer, HecRawQuery, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

// "/services/collector" is the default of OpenTelemetry's exporter, ".../1.0" that of Docker's log driver.
const EVENT_PATHS = ["/services/collector", "/services/collector/event", "/services/collector/event/1.0"];
const RAW_PATHS = ["/services/collector/raw", "/services/collector/raw/1.0"];
const HEALTH_PATHS = ["/services/collector/health", "/services/collector/health/1.0"];

const sending = { ...INTAKE_CONFIG, keySchemes: ["splunk"] } as const;
const open = { needs: "public", effect: "none", isCountedApart: true } as const;
const response = { 200: HecAnswer, 400: HecAnswer };

/** Splunk's HTTP Event Collector, at its own paths and with its own answers, refusals included. */
export function hecRoutes(intake: IntakeService, bodies: Bodies): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook("onSend", async (request, reply, payload) => {
      const isOurs = reply.statusCode < 400 || (typeof payload === "string" && payload.startsWith('{"text"'));
      return isOurs ? payload : JSON.stringify(toHecError(reply.statusCode, payload, request.headers.authorization));
    });

    for (const path of EVENT_PATHS) {
      app.post(
        path,
        { config: sending, schema: { querystring: IngestQuery, headers: IngestHeaders, response } },
        async (request, reply) =>
          bodies.use(request.raw, async (body) => {
            const found = readHecEvents(body.toString("utf8"));
            if (found.length === 0) return reply.code(400).send(NO_DATA);
            const { refused } = await intake.accept(found, readOrigin(request, "hec"));
            return reply.code(refused.length === 0 ? 200 : 400).send(buildHecAnswer(refused));
          }),
      );

      // Docker's log driver asks this before it starts a container.
      app.options(path, { config: open }, async (_request, reply) => reply.code(200).send());
    }

    for (const path of RAW_PATHS) {
      app.post(
        path,
        { config: sending, schema: { querystring: HecRawQuery, headers: IngestHeaders, response } },
        async (request, reply) =>
          bodies.use(request.raw, async (body) => {
            const found = readHecLines(body.toString("utf8"), request.query);
            if (found.length === 0) return reply.code(400).send(NO_DATA);
            const { refused } = await intake.accept(found, readOrigin(request, "hec"));
            return reply.code(refused.length === 0 ? 200 : 400).send(buildHecAnswer(refused));
          }),
      );
    }

    for (const path of HEALTH_PATHS) {
      // One of the collector's documented codes.
      app.get(path, { config: open, schema: { response: { 200: HecAnswer } } }, async () => ({
        text: "HEC is healthy",
        code: 17,
      }));
    }
  };
}
