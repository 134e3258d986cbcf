import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyContextConfig, FastifyReply, FastifySchema } from "fastify";
import type { Caller } from "../caller/caller.ts";
import type { Tx } from "../database/tables.ts";
import { etagOf, type VersionedRecord } from "../records/if-match.ts";
import type { ChangeRequest, ChangesService } from "./changes.service.ts";
import type { Outcome } from "./effects.ts";

/** The routes of a feature. */
export type Routes = FastifyPluginAsyncTypebox;

/** Answers with the changed object or, in dry_run, with a preview of it. */
export function answer<Result>(reply: FastifyReply, status: 200 | 201 | 202, { dry_run, result }: Outcome<Result>) {
  if (dry_run) return reply.code(200).send({ dry_run, preview: result });
  return reply.code(status).send(result);
}

/** Adds the version as ETag, for If-Match; a preview has none. */
export function answerVersion(reply: FastifyReply, status: 200 | 201, outcome: Outcome<VersionedRecord>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}

/** Makes a change with the caller of the request, and answers with its result. */
export async function answerChange<Result>(
  changes: Pick<ChangesService, "run">,
  request: ChangeRequest,
  reply: FastifyReply,
  status: 200 | 201 | 202,
  work: (tx: Tx, caller: Caller) => Promise<Result>,
) {
  return answer(reply, status, await changes.run(request, work));
}

/** The same for a record with a version. */
export async function answerNewVersion(
  changes: Pick<ChangesService, "run">,
  request: ChangeRequest,
  reply: FastifyReply,
  status: 200 | 201,
  work: (tx: Tx, caller: Caller) => Promise<VersionedRecord>,
) {
  return answerVersion(reply, status, await changes.run(request, work));
}

/** The options of a route: its entry in the OpenAPI document, who may call it, and what it accepts and returns. */
export function operation<Schema extends FastifySchema>(
  operationId: string,
  summary: string,
  config: FastifyContextConfig,
  schema: Schema,
) {
  return { config, schema: { operationId, summary, ...schema } };
}
