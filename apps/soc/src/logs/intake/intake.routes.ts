import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { callerOf } from "../../foundation/caller/caller.ts";
import { pairTexts } from "../../foundation/caller/scope.ts";
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

type Asked = FastifyRequest & { query: IngestQuery; headers: IngestHeaders };

export function readOrigin(request: Asked, format: Format): Origin {
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

/** A site that is not the sender's is no site: an event that names none itself is refused. */
function readSites(texts: readonly string[] | undefined, named: string | undefined): SitesOfOrigin {
  if (texts === undefined) return named === undefined ? {} : { site: named };
  const sites = pairTexts(texts);
  const site = findOwnSite(sites, named);
  return site === undefined ? { sites } : { site, sites };
}

/** Below /api/v1. */
export function intakeRoutes(intake: IntakeService, bodies: Bodies): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      "/siem/ingest",
      {
        config: INTAKE_CONFIG,
        schema: {
          operationId: "ingestEvents",
          summary: "Ingest events",
          querystring: IngestQuery,
          headers: IngestHeaders,
          response: { 202: IngestAnswer },
        },
      },
      async (request, reply) => {
        const taken = await bodies.use(request.raw, (body) =>
          intake.acceptTexts(cutJsonEvents(body.toString("utf8")), parseJsonEvent, readOrigin(request, "json")),
        );
        return reply.code(202).send(taken);
      },
    );
  };
}
