import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { publishRequest } from "@kit/http/optional-fields";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import {
  APICallError,
  InvalidResponseDataError,
  type JSONValue,
  jsonSchema,
  type ModelMessage,
  streamText,
  type ToolSet,
} from "ai";
import { isRecord } from "../../response/module.ts";
import { BYTES_CODE } from "./model-fetch.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { ModelTool } from "./model-tool.ts";
import type { RequestReply, Turn } from "./reply.ts";
import { createReplyBuilder, type FailedReply } from "./reply-builder.ts";
import { parseRetryAfter } from "./retry-after.ts";

export interface SdkDeps {
  settings: ModelSettings;
  fetch: typeof globalThis.fetch;
  /** Whether the last request received response headers. */
  hasAnswered: () => boolean;
  log: Pick<Log, "warn">;
}

const MAX_MALFORMED_CHARACTERS = 500;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Calls the model through the AI SDK. This file loads the SDK, so import it only if a model is used. */
export function createAsk({ settings, fetch, hasAnswered, log }: SdkDeps): RequestReply {
  // Otherwise the SDK writes warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const model = createProviderModel(settings, fetch);

  return async (request) => {
    const builder = createReplyBuilder(request);
    const { fullStream } = streamText({
      model,
      system: request.system,
      messages: request.turns.map(toMessage),
      tools: toToolSet(request.tools),
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: request.signal,
      includeRawChunks: true,
      // By default the SDK writes errors with the request to the console.
      onError: () => undefined,
    });
    try {
      for await (const part of fullStream) builder.add(part);
    } catch (error) {
      builder.add({ type: "error", error });
    }
    request.signal.throwIfAborted();
    return builder.build((error) => explain(error, hasAnswered(), log));
  };
}

/** Always returns a provider object, because the SDK sends a model given by name to its vendor's gateway. */
function createProviderModel({ provider, url, model, key }: ModelSettings, fetch: SdkDeps["fetch"]) {
  switch (provider) {
    case "anthropic":
      // Without a key the SDK would read one from the environment.
      return createAnthropic({ baseURL: url, apiKey: key ?? "none", fetch })(model);
    case "openai-compatible": {
      const name = "model";
      return createOpenAICompatible({ name, baseURL: url, ...(key && { apiKey: key }), fetch, includeUsage: true })(
        model,
      );
    }
    default:
      return provider satisfies never;
  }
}

/** Uses our own words, because a provider's answer may repeat the request or the key. */
function explain(error: unknown, hasAnswered: boolean, log: Pick<Log, "warn">): FailedReply {
  const problem = findProblem(error);
  if (problem?.code === BYTES_CODE) return { kind: "budget", detail: problem.message };
  if (problem) {
    const mayRepeat = problem.kind === "unavailable" && !hasAnswered;
    return { kind: "failed", detail: problem.message, ...(mayRepeat && { retryAfterMs: 0 }) };
  }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300) {
    const mayRepeat = error.statusCode === 429 || error.statusCode >= 500;
    const retryAfterMs = parseRetryAfter(error.responseHeaders?.["retry-after"]);
    return { kind: "failed", detail: `the model answered ${error.statusCode}`, ...(mayRepeat && { retryAfterMs }) };
  }
  // The SDK throws this only for a stream that ended before its reply.
  if (InvalidResponseDataError.isInstance(error)) return { kind: "failed", detail: "the reply ended early" };
  log.warn({ error_name: error instanceof Error ? error.name : typeof error }, "model reply not readable");
  return { kind: "failed", detail: "the reply is not valid" };
}

const MAX_CAUSES = 5;

/** The SDK wraps errors of `fetch`. */
function findProblem(error: unknown): Problem | undefined {
  let each = error;
  for (let depth = 0; depth < MAX_CAUSES && each instanceof Error; depth += 1) {
    if (each instanceof Problem) return each;
    each = each.cause;
  }
  return undefined;
}

function toToolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => {
      const inputSchema = jsonSchema(JSON.parse(JSON.stringify(publishRequest(input))));
      return [name, { description, inputSchema }];
    }),
  );
}

function toMessage(turn: Turn): ModelMessage {
  switch (turn.role) {
    case "user":
      return { role: "user", content: turn.text };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(turn.text === "" ? [] : [{ type: "text" as const, text: turn.text }]),
          ...turn.calls.map(({ id, name, input }) => ({
            ...{ type: "tool-call" as const, toolCallId: id, toolName: toName(name), input: toInput(input) },
          })),
        ],
      };
    case "results":
      return {
        role: "tool",
        content: turn.results.map(({ id, name, value, isError }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: toName(name),
          output: { type: isError ? "error-json" : "json", value: toJson(value) },
        })),
      };
    default:
      return turn satisfies never;
  }
}

/** A provider refuses the whole conversation if it contains an invalid name. */
function toName(name: string): string {
  return TOOL_NAME.test(name) ? name : "unknown";
}

function toInput(input: unknown): JSONValue {
  if (isRecord(input)) return toJson(input);
  return { malformed: String(JSON.stringify(input) ?? "").slice(0, MAX_MALFORMED_CHARACTERS) };
}

function toJson(value: unknown): JSONValue {
  const copied: unknown = JSON.parse(JSON.stringify(value ?? null));
  return isJson(copied) ? copied : null;
}

/** For a parsed value, only undefined is not JSON. */
function isJson(value: unknown): value is JSONValue {
  return value !== undefined;
}
