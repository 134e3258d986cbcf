import type { IncomingMessage } from "node:http";
import { Problem } from "@kit/problem";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parse } from "secure-json-parse";

/**
 * Reads every body as JSON, whatever its content type says: the APIs know no other format.
 * A route without a body schema takes nothing, so whatever was sent to it is ignored.
 */
export function readJsonBodies(app: FastifyInstance, mostDepth: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, payload: IncomingMessage) => {
    if (request.routeOptions.schema?.body !== undefined) {
      return parseJson(await readText(payload, request.routeOptions.bodyLimit), mostDepth);
    }
    payload.resume();
    return undefined;
  });
}

function readText(payload: IncomingMessage, mostBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    payload.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else reject(new Problem("invalid", `body: must be at most ${mostBytes} bytes`));
    });
    payload.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    payload.on("error", reject);
  });
}

function parseJson(text: string, mostDepth: number): unknown {
  if (depthOf(text) > mostDepth) throw new Problem("invalid", `body: must be at most ${mostDepth} levels deep`);
  try {
    return parse(text, { protoAction: "error", constructorAction: "error" });
  } catch (cause) {
    throw new Problem("invalid", "body: must be valid JSON", { cause });
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
