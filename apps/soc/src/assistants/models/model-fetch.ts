import { Problem } from "@kit/problem";
import type { ArrivingAnswer } from "../../foundation/outbound/dispatch.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import { raceAbort } from "../tools/race-abort.ts";
import type { ModelSettings } from "./model-settings.ts";

/** The destination of requests to the model, in records and in error texts. */
export const MODEL_DESTINATION = "model";

/** The code of the Problem for a used-up byte budget. */
export const BYTES_CODE = "model_bytes";

export interface ModelFetchDeps {
  outbound: Pick<OutboundService, "stream">;
  settings: Pick<ModelSettings, "url">;
  /** For one exchange; the run has its own limit. */
  timeoutMs: number;
}

const MAX_REQUEST_BYTES = 2 * 1024 * 1024;
/** For all replies of a run, in bytes of their streams. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** The headers that providers need. Others, such as the SDK version, are not sent. */
const SENT_HEADERS = ["content-type", "authorization", "x-api-key", "anthropic-version", "anthropic-beta"];
const READ_HEADERS = ["content-type", "retry-after"];
/** Fetch standard, null body status. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** The `fetch` of one run: recorded, and only to the configured address. */
export function createModelFetch({ outbound, settings, timeoutMs }: ModelFetchDeps) {
  const pending: Promise<unknown>[] = [];
  let receivedBytes = 0;
  let hasAnswered = false;

  /** Copies the answer into the response while it arrives. */
  async function copy(answer: ArrivingAnswer, into: WritableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const writer = into.getWriter();
    try {
      for await (const chunk of answer.body) {
        receivedBytes += chunk.length;
        if (receivedBytes > MAX_REPLY_BYTES) {
          throw new Problem("unavailable", `the replies have more than ${MAX_REPLY_BYTES} bytes`, { code: BYTES_CODE });
        }
        await raceAbort(writer.write(chunk), signal);
      }
      await raceAbort(writer.close(), signal);
    } catch (error) {
      // The reader gets the error; a cancelled stream rejects.
      writer.abort(error).catch(() => undefined);
      throw error;
    }
  }

  async function send(url: string, init: RequestInit): Promise<Response> {
    const body = requireText(init.body);
    requireBelow(url, settings.url);
    if (Buffer.byteLength(body) > MAX_REQUEST_BYTES) {
      throw new Problem("unavailable", `the request has more than ${MAX_REQUEST_BYTES} bytes`, { code: BYTES_CODE });
    }
    hasAnswered = false;
    return new Promise((resolve, reject) => {
      const exchange = outbound.stream(
        {
          kind: "question",
          destination: MODEL_DESTINATION,
          purpose: "a question to the language model",
          method: "POST",
          url,
          headers: { ...pick(init.headers, SENT_HEADERS), accept: "text/event-stream" },
          body,
          timeoutMs,
          ...(init.signal && { signal: init.signal }),
        },
        async (answer, signal) => {
          const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
          hasAnswered = true;
          resolve(toResponse(answer, readable));
          await copy(answer, writable, signal);
        },
      );
      // After the response has begun, the reader of its body has received the error of an exchange.
      pending.push(exchange.catch(reject));
    });
  }

  return {
    fetch: async (input: string | URL | Request, init: RequestInit = {}) =>
      send(input instanceof Request ? input.url : String(input), init),
    /** Whether the last request received response headers. */
    hasAnswered: () => hasAnswered,
    /** Resolves when the end of every exchange is recorded. */
    settled: async () => {
      await Promise.all(pending);
    },
  };
}

function requireText(body: unknown): string {
  if (typeof body === "string") return body;
  throw new Problem("failed", `${MODEL_DESTINATION}: a request must have a text as its body`);
}

/** The SDK builds the URL; check it, so that nothing is sent to another address. */
function requireBelow(url: string, base: string): void {
  if (URL.canParse(url) && new URL(url).href.startsWith(`${base}/`)) return;
  throw new Problem("forbidden", `${MODEL_DESTINATION}: only requests to the configured address are allowed`);
}

function toResponse({ status, headers }: ArrivingAnswer, body: ReadableStream<Uint8Array>): Response {
  if (status < 200 || status > 599) throw new Problem("unavailable", `${MODEL_DESTINATION}: answered ${status}`);
  const read = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    READ_HEADERS.includes(name) && typeof value === "string" ? [[name, value]] : [],
  );
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers: read });
}

function pick(headers: RequestInit["headers"], names: readonly string[]): Record<string, string> {
  return Object.fromEntries([...new Headers(headers)].filter(([name]) => names.includes(name)));
}
