import type { Clock } from "@kit/clock";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { operation, type Routes } from "../../foundation/runtime/operation.ts";
import type { Bodies } from "./formats/body.ts";
import { buildBulkAnswer, iterateBulkItems } from "./formats/bulk-events.ts";
import { ELASTIC_HEALTH, ELASTIC_INFO, ELASTIC_LICENSE, toElasticError } from "./formats/elastic-answer.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { BulkPath, ElasticHealth, ElasticInfo, ElasticLicense, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

const sending = { ...INTAKE_CONFIG, keySchemes: ["apikey", "basic"] } as const;
const open = { needs: "public", effect: "none", isCountedApart: true } as const;
const schema = { querystring: IngestQuery, headers: IngestHeaders };
// The resources that Beats and Logstash install before they send. They are reported as installed, because logs need no
// templates here.
const INSTALLED = [
  { path: "/_index_template/:name", noun: "IndexTemplate", words: "an index template" },
  { path: "/_template/:name", noun: "LegacyTemplate", words: "a legacy index template" },
  { path: "/_ilm/policy/:name", noun: "LifecyclePolicy", words: "a lifecycle policy" },
  { path: "/_ingest/pipeline/:name", noun: "IngestPipeline", words: "an ingest pipeline" },
];

/** The part of Elasticsearch's API that log senders use: the checks at their start, and `_bulk`. */
export function elasticRoutes(intake: IntakeService, bodies: Bodies, clock: Pick<Clock, "monotonicMs">): Routes {
  type IngestRequest = FastifyRequest & { query: IngestQuery; headers: IngestHeaders };

  async function bulk(request: IngestRequest, index?: string) {
    const startMs = clock.monotonicMs();
    return bodies.use(request.raw, async (body) => {
      const items = await intake.collect(
        iterateBulkItems(body.toString("utf8"), index),
        ({ found }) => found.raw.length,
      );
      const { refused } = await intake.accept(
        items.map(({ found }) => found),
        readOrigin(request, "bulk"),
      );
      return buildBulkAnswer(items, refused, clock.monotonicMs() - startMs);
    });
  }

  return async (app) => {
    app.addHook("onSend", async (_request, reply, payload) => {
      // Elastic's clients require this header in every response, including errors.
      reply.header("x-elastic-product", "Elasticsearch");
      return reply.statusCode < 400 ? payload : JSON.stringify(toElasticError(reply.statusCode, payload));
    });

    app.post(
      "/_bulk",
      operation("bulkIndexEvents", "Ingest events with the Elasticsearch bulk API", sending, { ...schema }),
      async (request) => bulk(request),
    );

    app.post(
      "/:index/_bulk",
      operation("bulkIndexEventsIntoIndex", "Ingest events into an index with the Elasticsearch bulk API", sending, {
        ...schema,
        params: BulkPath,
      }),
      async (request) => bulk(request, request.params.index),
    );

    app.head("/", operation("headRoot", "Check that the log intake is reachable", open, {}), answerHead);

    app.get(
      "/_license",
      operation("getElasticLicense", "Get the Elasticsearch license", open, { response: { 200: ElasticLicense } }),
      async () => ELASTIC_LICENSE,
    );
    app.get(
      "/_xpack/license",
      operation("getElasticXpackLicense", "Get the Elasticsearch license for older senders", open, {
        response: { 200: ElasticLicense },
      }),
      async () => ELASTIC_LICENSE,
    );

    app.get(
      "/_cluster/health",
      operation("getElasticClusterHealth", "Get the intake health as an Elasticsearch cluster", open, {
        response: { 200: ElasticHealth },
      }),
      async () => ELASTIC_HEALTH,
    );

    app.get(
      "/_cat/health",
      operation("getElasticHealthText", "Get the intake health as text", open, { response: { 200: Type.String() } }),
      // rsyslog requests this before it sends, and reads only the status.
      async (_request, reply) => reply.type("text/plain").send("manara green\n"),
    );

    for (const { path, noun, words } of INSTALLED) {
      const head = { operationId: `headElastic${noun}`, summary: `Check ${words} of Elasticsearch` };
      const get = { operationId: `getElastic${noun}`, summary: `Get ${words} of Elasticsearch` };
      app.head(path, { config: open, schema: head }, answerHead);
      app.get(path, { config: open, schema: get }, async () => ({}));
    }
  };
}

async function answerHead(_request: FastifyRequest, reply: FastifyReply) {
  return reply.type("application/json").send();
}

/** The start page for browsers, and Elasticsearch's greeting for shippers. */
export function rootRoutes(): Routes {
  return async (app) => {
    app.get(
      "/",
      operation("getRoot", "Get the console or the Elasticsearch greeting", open, {
        description:
          "The console for a browser (`Accept` has `text/html`, or `*/*` without credentials), else the greeting of Elasticsearch.",
        response: { 200: ElasticInfo },
      }),
      async ({ headers }, reply) => {
        if (wantsPage(headers)) {
          reply.callNotFound();
          return reply;
        }
        return reply.header("x-elastic-product", "Elasticsearch").send(ELASTIC_INFO);
      },
    );
  };
}

/** A shipper accepts JSON, does not state what it accepts, or sends credentials. */
function wantsPage({ accept = "", authorization }: FastifyRequest["headers"]): boolean {
  return accept.includes("text/html") || (accept.includes("*/*") && authorization === undefined);
}
