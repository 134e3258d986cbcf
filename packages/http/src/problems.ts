import type { Socket } from "node:net";
import type { Log } from "@kit/log";
import { invalidField, Problem, STATUS_OF } from "@kit/problem";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { secureAnswer } from "./secure-answer.ts";
import { hasTime } from "./slow-bodies.ts";
import { closeAfterRefusedUpgrade } from "./upgrades.ts";

/** The documented error body of a product around one sentence. */
export type ErrorBody = (message: string) => Readonly<Record<string, string>>;

/** Every refusal leaves through here: one status table, one body, and a stack only in the log. */
export function answerProblems(app: FastifyInstance, errorBody: ErrorBody, log: Log | undefined): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = toProblem(error);
    const { id, method, routeOptions } = request;
    const fields = { request_id: id, method, route: routeOptions.url };
    if (isCutOff(request)) log?.info(fields, "request cut off by its client");
    else if (!problem || problem.kind === "failed") log?.error({ ...fields, err: error }, "request failed");
    else log?.info({ ...fields, kind: problem.kind, why: problem.message }, "request refused");
    closeAfterUnreadBody(request, reply);
    return answer(reply, problem ?? new Problem("failed", "internal error"), errorBody);
  });
}

/** For a path that the router cannot decode; no hook has run then. */
export function answerUnreadablePath(errorBody: ErrorBody, isHttps: boolean) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    secureAnswer(reply, isHttps);
    closeAfterRefusedUpgrade(request, reply);
    answer(reply, invalidField("path", "is malformed"), errorBody);
  };
}

/** For bytes that are no HTTP request, or one that is not finished in time. */
export function answerUnreadableRequest(errorBody: ErrorBody) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // Node reports it once per request and then leaves the connection to this handler.
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && hasTime(socket)) return;
    const isHttp = error.code?.startsWith("HPE_") || error.code?.startsWith("ERR_HTTP_");
    // A browser opens connections in advance: an answer on one that it has not used yet would be read as that of its next request.
    const isUnused = socket.bytesRead === 0;
    if (!isHttp || isUnused || !socket.writable) {
      // A broken connection or handshake: no client can read an answer.
      socket.destroy();
      return;
    }
    const why = error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? "was not complete in time" : "is malformed";
    const body = JSON.stringify(errorBody(`request: ${why}`));
    const head = [
      "HTTP/1.1 400 Bad Request",
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "problem-field: request",
      "x-content-type-options: nosniff",
      "connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    socket.destroySoon();
  };
}

// A field may be a key that the client chose: one that does not fit into a header is left out.
const HEADER_FIELD = /^[\x21-\x7e]{1,256}$/;
// Fastify adds its own code to a schema error (FST_ERR_VALIDATION); only our codes are sent.
const HEADER_CODE = /^[a-z][a-z0-9_]{0,63}$/;

/** The documented body holds the message only; field and code are an extension, in headers, for our own pages. */
function answer(reply: FastifyReply, problem: Problem, errorBody: ErrorBody): FastifyReply {
  const { retryAfterSeconds, field, code } = problem;
  if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
  if (field !== undefined && HEADER_FIELD.test(field)) reply.header("problem-field", field);
  if (code !== undefined && HEADER_CODE.test(code)) reply.header("problem-code", code);
  return reply
    .code(STATUS_OF[problem.kind])
    .type("application/json")
    .send(JSON.stringify(errorBody(problem.message)));
}

/** Node would take the unread rest of a body for the next request on this connection. */
export function closeAfterUnreadBody({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (hasBody && !raw.complete) reply.header("connection", "close");
}

/** The connection ended before the request was complete. No answer is read, and it is no failure of ours. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function toProblem(error: FastifyError): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
  return error.statusCode === 413 ? invalidField("body", "is too large") : invalidField("request", "is malformed");
}
