import type { FastifyRequest } from "fastify";
import { callerOf, pairTexts } from "../../foundation/caller/caller.ts";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { Bodies } from "./formats/body.ts";
import type { Format } from "./formats/event.ts";
import { cutJsonEvents, parseJsonEvent } from "./formats/json-events.ts";
import { IngestAnswer, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";
import type { Origin } from "./pipeline/chunk.ts";
import { findOwnSite, type SitesOfOrigin } from "./pipeline/log-site.ts";

/** The configuration that all intake routes share. */
export const INTAKE_CONFIG = {
  needs: ["siem:ingest"],
  byKey: true,
  bySite: "records",
  effect: "internal",
  streamsBody: true,
  isCountedApart: true,
  isIntake: true,
} as const;

type IngestRequest = FastifyRequest & { query: IngestQuery; headers: IngestHeaders };

export function readOrigin(request: IngestRequest, format: Format): Origin {
  const { source, site } = request.query;
  const { username: sender, sites } = callerOf(request);
  const batchId = request.headers["x-batch-id"];
  return {
    format,
    sender,
    ...readSites(sites, site),
    ...(source !== undefined && { source }),
    ...(batchId !== undefined && { batchId }),
  };
}

/** Ignores a site that the sender does not own; an event without its own site is then rejected. */
function readSites(texts: readonly string[] | undefined, named: string | undefined): SitesOfOrigin {
  if (texts === undefined) return named === undefined ? {} : { site: named };
  const sites = pairTexts(texts);
  const site = findOwnSite(sites, named);
  return site === undefined ? { sites } : { site, sites };
}

/** Under /api/v1. */
export function intakeRoutes(intake: IntakeService, bodies: Bodies): Routes {
  return async (app) => {
    app.post(
      "/siem/ingest",
      operation("ingestEvents", "Ingest events", INTAKE_CONFIG, {
        description:
          "Takes a JSON array or NDJSON, to 32 MiB, also gzipped. A request with a known `X-Batch-Id` counts once for 24 hours. Answers 202 when all of it is durable.",
        querystring: IngestQuery,
        headers: IngestHeaders,
        response: { 202: IngestAnswer },
      }),
      async (request, reply) => {
        const taken = await bodies.use(request.raw, (body) =>
          intake.acceptTexts(cutJsonEvents(body.toString("utf8")), parseJsonEvent, readOrigin(request, "json")),
        );
        return reply.code(202).send(taken);
      },
    );
  };
}
