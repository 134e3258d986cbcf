import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { Bodies } from "./formats/body.ts";
import { buildHecAnswer, NO_DATA, toHecError } from "./formats/hec-answer.ts";
import { iterateHecEvents, readHecLines } from "./formats/hec-events.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { HecAnswer, HecRawQuery, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

// "/services/collector" is the default of OpenTelemetry's exporter, ".../1.0" that of Docker's log driver.
const EVENT_PATHS = [
  { path: "/services/collector", noun: "" },
  { path: "/services/collector/event", noun: "Events" },
  { path: "/services/collector/event/1.0", noun: "EventsV1" },
];
const RAW_PATHS = [
  { path: "/services/collector/raw", operationId: "sendHecLines" },
  { path: "/services/collector/raw/1.0", operationId: "sendHecLinesV1" },
];
const HEALTH_PATHS = [
  { path: "/services/collector/health", operationId: "getHecHealth" },
  { path: "/services/collector/health/1.0", operationId: "getHecHealthV1" },
];

const sending = { ...INTAKE_CONFIG, keySchemes: ["splunk"] } as const;
const open = { needs: "public", effect: "none", isCountedApart: true } as const;
const response = { 200: HecAnswer, 400: HecAnswer };

/** Splunk's HTTP Event Collector, with its own paths, responses and errors. */
export function hecRoutes(intake: IntakeService, bodies: Bodies): Routes {
  return async (app) => {
    app.addHook("onSend", async (request, reply, payload) => {
      const isOurs = reply.statusCode < 400 || (typeof payload === "string" && payload.startsWith('{"text"'));
      return isOurs ? payload : JSON.stringify(toHecError(reply.statusCode, payload, request.headers.authorization));
    });

    for (const { path, noun } of EVENT_PATHS) {
      app.post(
        path,
        operation(`sendHec${noun}`, "Ingest Splunk HEC events", sending, {
          querystring: IngestQuery,
          headers: IngestHeaders,
          response,
        }),
        async (request, reply) =>
          bodies.use(request.raw, async (body) => {
            const found = await intake.collect(iterateHecEvents(body.toString("utf8")), ({ raw }) => raw.length);
            if (found.length === 0) return reply.code(400).send(NO_DATA);
            const { refused } = await intake.accept(found, readOrigin(request, "hec"));
            return reply.code(refused.length === 0 ? 200 : 400).send(buildHecAnswer(refused));
          }),
      );

      // Docker's log driver requests this before it starts a container.
      app.options(
        path,
        operation(`checkHec${noun}`, "Check that Splunk HEC is available", open, {}),
        async (_request, reply) => reply.code(200).send(),
      );
    }

    for (const { path, operationId } of RAW_PATHS) {
      app.post(
        path,
        operation(operationId, "Ingest lines with Splunk HEC", sending, {
          querystring: HecRawQuery,
          headers: IngestHeaders,
          response,
        }),
        async (request, reply) =>
          bodies.use(request.raw, async (body) => {
            const found = readHecLines(body.toString("utf8"), request.query);
            if (found.length === 0) return reply.code(400).send(NO_DATA);
            const { refused } = await intake.accept(found, readOrigin(request, "hec"));
            return reply.code(refused.length === 0 ? 200 : 400).send(buildHecAnswer(refused));
          }),
      );
    }

    for (const { path, operationId } of HEALTH_PATHS) {
      // One of the collector's documented codes.
      app.get(
        path,
        operation(operationId, "Get the health of Splunk HEC", open, { response: { 200: HecAnswer } }),
        async () => ({
          text: "HEC is healthy",
          code: 17,
        }),
      );
    }
  };
}
