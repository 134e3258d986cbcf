import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { Clock } from "@kit/clock";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Bodies } from "./formats/body.ts";
import { buildBulkAnswer, readBulkItems } from "./formats/bulk-events.ts";
import { ELASTIC_HEALTH, ELASTIC_INFO, ELASTIC_LICENSE, toElasticError } from "./formats/elastic-answer.ts";
import { INTAKE_CONFIG, readOrigin } from "./intake.routes.ts";
import { BulkPath, ElasticHealth, ElasticInfo, ElasticLicense, IngestHeaders, IngestQuery } from "./intake.schema.ts";
import type { IntakeService } from "./intake.service.ts";

const sending = { ...INTAKE_CONFIG, keySchemes: ["apikey", "basic"] } as const;
const open = { needs: "public", effect: "none", isCountedApart: true } as const;
const schema = { querystring: IngestQuery, headers: IngestHeaders };
// What Beats and Logstash would install before they send. It is answered as installed: logs need no templates here.
const INSTALLED = ["/_index_template/:name", "/_template/:name", "/_ilm/policy/:name", "/_ingest/pipeline/:name"];

/** The part of Elasticsearch's API that senders of logs use: what they check at their start, and `_bulk`. */
export function elasticRoutes(
  intake: IntakeService,
  bodies: Bodies,
  clock: Pick<Clock, "monotonicMs">,
): FastifyPluginAsyncTypebox {
  type Asked = FastifyRequest & { query: IngestQuery; headers: IngestHeaders };

  async function bulk(request: Asked, index?: string) {
    const startMs = clock.monotonicMs();
    return bodies.use(request.raw, async (body) => {
      const items = readBulkItems(body.toString("utf8"), index);
      const { refused } = await intake.accept(
        items.map(({ found }) => found),
        readOrigin(request, "bulk"),
      );
      return buildBulkAnswer(items, refused, clock.monotonicMs() - startMs);
    });
  }

  return async (app) => {
    app.addHook("onSend", async (_request, reply, payload) => {
      // Elastic's clients check this header before they accept an answer, also that of a refusal.
      reply.header("x-elastic-product", "Elasticsearch");
      return reply.statusCode < 400 ? payload : JSON.stringify(toElasticError(reply.statusCode, payload));
    });

    app.post("/_bulk", { config: sending, schema }, async (request) => bulk(request));

    app.post("/:index/_bulk", { config: sending, schema: { ...schema, params: BulkPath } }, async (request) =>
      bulk(request, request.params.index),
    );

    app.head("/", { config: open }, answerHead);

    app.get("/_license", { config: open, schema: { response: { 200: ElasticLicense } } }, async () => ELASTIC_LICENSE);
    app.get(
      "/_xpack/license",
      { config: open, schema: { response: { 200: ElasticLicense } } },
      async () => ELASTIC_LICENSE,
    );

    app.get(
      "/_cluster/health",
      { config: open, schema: { response: { 200: ElasticHealth } } },
      async () => ELASTIC_HEALTH,
    );

    app.get(
      "/_cat/health",
      { config: open, schema: { response: { 200: Type.String() } } },
      // rsyslog requests this before it sends. It reads only the status.
      async (_request, reply) => reply.type("text/plain").send("manara green\n"),
    );

    for (const path of INSTALLED) {
      app.head(path, { config: open }, answerHead);
      app.get(path, { config: open }, async () => ({}));
    }
  };
}

async function answerHead(_request: FastifyRequest, reply: FastifyReply) {
  return reply.type("application/json").send();
}

/** The start page for browsers, and Elasticsearch's greeting for shippers. */
export function rootRoutes(): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get("/", { config: open, schema: { response: { 200: ElasticInfo } } }, async ({ headers }, reply) => {
      if (wantsPage(headers)) {
        reply.callNotFound();
        return reply;
      }
      return reply.header("x-elastic-product", "Elasticsearch").send(ELASTIC_INFO);
    });
  };
}

/** A shipper asks for JSON, does not say what it accepts, or brings its credentials along. */
function wantsPage({ accept = "", authorization }: FastifyRequest["headers"]): boolean {
  return accept.includes("text/html") || (accept.includes("*/*") && authorization === undefined);
}
