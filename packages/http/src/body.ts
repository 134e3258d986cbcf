import type { IncomingMessage } from "node:http";
import { invalidField, type Problem } from "@kit/problem";
import type { FastifyInstance } from "fastify";
import { parse } from "secure-json-parse";
import { giveTime } from "./slow-bodies.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The handler reads the body from the raw request, and limits its size and its time itself. */
    streamsBody?: boolean;
  }
}

/**
 * Reads every body as JSON, regardless of its content type: the APIs have no other format.
 * A route without a body schema takes nothing, so its body is ignored, unless the handler reads it itself.
 */
export function readJsonBodies(app: FastifyInstance, maxDepth: number): void {
  app.removeAllContentTypeParsers();
  // The first is among the second, but finding it by its name is much quicker.
  app.addContentTypeParser(["application/json", "*"], (request, payload, done) => {
    const { schema, bodyLimit, config } = request.routeOptions;
    if (config.streamsBody) {
      giveTime(payload);
      done(null);
      return;
    }
    if (schema?.body === undefined) {
      payload.resume();
      done(null);
      return;
    }
    readText(payload, bodyLimit, (error, text) => {
      if (error) return done(error);
      const { problem, value } = parseJson(text, maxDepth);
      done(problem ?? null, value);
    });
  });
}

/** Calls back once. Callbacks, not promises: this is the hottest path of every mutation. */
function readText(payload: IncomingMessage, maxBytes: number, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  payload.on("data", (chunk: Buffer) => {
    const hadRoom = size <= maxBytes;
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (hadRoom) done(invalidField("body", `must be at most ${maxBytes} bytes`), "");
  });
  payload.on("end", () => size <= maxBytes && done(null, toText(chunks)));
  payload.on("error", (error) => done(error, ""));
}

/** Most bodies come in one piece. */
function toText([first, ...others]: Buffer[]): string {
  if (!first) return "";
  return (others.length === 0 ? first : Buffer.concat([first, ...others])).toString("utf8");
}

function parseJson(text: string, maxDepth: number): { problem?: Problem; value?: unknown } {
  // Many clients name a content type also where they send nothing; the route's schema says whether it needs something.
  if (text === "") return {};
  if (depthOf(text) > maxDepth) return { problem: invalidField("body", `must be at most ${maxDepth} levels deep`) };
  try {
    return { value: parse(text, { protoAction: "error", constructorAction: "error" }) };
  } catch (cause) {
    return { problem: invalidField("body", "must be valid JSON", { cause }) };
  }
}

/** The deepest nesting of brackets outside strings, found before a parser builds anything. */
function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === BACKSLASH) at += 1;
    else if (character === QUOTE) inString = !inString;
    else if (inString) continue;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
  }
  return deepest;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
