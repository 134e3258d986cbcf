import { isFields } from "./event.ts";
import { parsed } from "./json-values.ts";

interface HecAnswer {
  text: string;
  code: number;
  "invalid-event-number"?: number;
}

interface Refusal {
  index: number;
  reason: string;
}

// The codes and texts of Splunk's documentation, "Possible error codes" of the HTTP Event Collector.
export const NO_DATA: HecAnswer = { text: "No data", code: 5 };
const BY_REASON: ReadonlyMap<string, HecAnswer> = new Map([
  ["event: is required", { text: "Event field is required", code: 12 }],
  ["event: must not be blank", { text: "Event field cannot be blank", code: 13 }],
]);
const INVALID_FORMAT: HecAnswer = { text: "Invalid data format", code: 6 };
const BY_STATUS: ReadonlyMap<number, HecAnswer> = new Map([
  [400, INVALID_FORMAT],
  [403, { text: "Token disabled", code: 1 }],
  [429, { text: "Server is busy", code: 9 }],
  [503, { text: "Server is busy", code: 9 }],
]);
const FAILED: HecAnswer = { text: "Internal server error", code: 8 };

/**
 * Names the first refused event, as Splunk does. Unlike there, later events are stored, and refused ones become dead
 * letters.
 */
export function buildHecAnswer(refused: readonly Refusal[]): HecAnswer {
  const [first, ...others] = refused;
  if (!first) return { text: "Success", code: 0 };
  const { index, reason } = others.reduce((best, each) => (each.index < best.index ? each : best), first);
  return { ...(BY_REASON.get(reason) ?? toInvalid(reason)), "invalid-event-number": index };
}

/** Splunk's codes know no sites, so the platform's own sentence follows the text. */
function toInvalid(reason: string): HecAnswer {
  const { text, code } = INVALID_FORMAT;
  return reason.startsWith("site: ") ? { text: `${text}: ${reason}`, code } : INVALID_FORMAT;
}

/** Formats a refusal of the platform with Splunk's codes; the platform's own sentence follows the text. */
export function toHecError(status: number, payload: unknown, authorization: string | undefined): HecAnswer {
  const { text, code } = findError(status, authorization);
  const body: unknown = typeof payload === "string" ? parsed(payload) : undefined;
  const detail = isFields(body) && typeof body.detail === "string" ? body.detail : "";
  return { text: detail === "" ? text : `${text}: ${detail}`, code };
}

function findError(status: number, authorization: string | undefined): HecAnswer {
  if (status === 401) {
    return authorization === undefined ? { text: "Token is required", code: 2 } : { text: "Invalid token", code: 4 };
  }
  return BY_STATUS.get(status) ?? FAILED;
}
