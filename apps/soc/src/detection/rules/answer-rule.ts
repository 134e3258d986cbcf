import type { FastifyReply } from "fastify";
import { etagOf } from "../../foundation/records/if-match.ts";
import { answer } from "../../foundation/runtime/answer.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { Rule } from "./rule.ts";

/** Sends the rule with an ETag of its version, for If-Match; a preview has none. */
export function answerRule(reply: FastifyReply, status: 200 | 201, outcome: Outcome<Rule>) {
  if (!outcome.dry_run) reply.header("etag", etagOf(outcome.result));
  return answer(reply, status, outcome);
}
