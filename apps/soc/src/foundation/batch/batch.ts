import type { FastifySchema } from "fastify";
import type { BatchedRequest } from "./batch.schema.ts";

/** The answer to one request of a batch. */
export interface BatchedAnswer {
  status: number;
  /** JSON text. */
  body: string;
}

/** Segments of unreserved characters; percent signs only in front of two digits. */
const PATH = /^\/api\/v1(?:\/(?:[A-Za-z0-9._~!$'()*,;:@+-]|%[0-9A-Fa-f]{2})+)+$/;
const QUERY = /^[\x21\x22\x24-\x7e]*$/;
/** A dot segment, or an encoding that a decoder could turn into a slash, a dot segment or a terminator. */
const AMBIGUOUS = /\/\.{1,2}(?:\/|$)|%(?:2e|2f|5c|00)/i;

/** Returns why a request cannot be part of a batch; undefined if it can. */
export function findBatchRefusal({ method = "GET", path }: BatchedRequest): string | undefined {
  if (method !== "GET") return "method: must be GET";
  const [place = "", ...query] = path.split("?");
  if (!PATH.test(place) || AMBIGUOUS.test(place)) return "path: must be a path below /api/v1";
  return QUERY.test(query.join("?")) ? undefined : "path: must have an encoded query";
}

/** Whether the route answers with one JSON document. Event streams, exports and downloads declare no such response. */
export function answersJson(schema: FastifySchema | undefined): boolean {
  const { response } = schema ?? {};
  if (typeof response !== "object" || response === null || !("200" in response)) return false;
  const { 200: answered } = response;
  return typeof answered === "object" && answered !== null && !("type" in answered && answered.type === "string");
}

export function formatBatch(answers: readonly BatchedAnswer[]): string {
  const responses = answers.map(({ status, body }) => `{"status":${status},"body":${body === "" ? "null" : body}}`);
  return `{"responses":[${responses.join(",")}]}`;
}

export function refuseItem(status: number, detail: string): BatchedAnswer {
  return { status, body: JSON.stringify({ detail }) };
}
