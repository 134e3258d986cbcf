import Value from "typebox/value";
import { AttestationAnswer } from "./attestation-answer.schema.ts";

export interface ParsedAnswer {
  /** Undefined if the payload names no request. */
  request_id: string | undefined;
  /** Undefined if the payload is malformed. */
  answer: AttestationAnswer | undefined;
}

const MAX_ID = 100;

/** Parses the payload of a device. */
export function parseAnswer(payload: unknown): ParsedAnswer {
  if (Value.Check(AttestationAnswer, payload)) return { request_id: payload.request_id, answer: payload };
  const named = typeof payload === "object" && payload !== null && "request_id" in payload && payload.request_id;
  return { request_id: typeof named === "string" && named.length <= MAX_ID ? named : undefined, answer: undefined };
}
