import { createReadStream } from "node:fs";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { EMPTY_PAYLOAD, formatQuery, type S3Credentials, signRequest } from "./sigv4.ts";

export interface S3Settings extends S3Credentials {
  /** `https://host/bucket`, optionally with a prefix, without a trailing slash. */
  url: string;
}

export interface S3ClientDeps {
  /** The name of the store in messages. */
  name: string;
  settings: S3Settings;
  clock: Pick<Clock, "now">;
}

export interface S3Request {
  method: "HEAD" | "GET" | "PUT" | "POST" | "DELETE";
  /** Relative to the URL of the settings, URL-encoded. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: S3Body;
}

/** A file or bytes, with the SHA-256 that the store checks. */
export type S3Body = { sha256: string } & ({ path: string; size_bytes: number } | { bytes: Uint8Array });

/** Exchanges with one bucket of an S3-compatible store, addressed by path. */
export interface S3Client {
  /** Resolves with the response as soon as its headers have arrived. */
  ask(asked: S3Request): Promise<IncomingMessage>;
  /** Ends the exchange and returns the start of the body; throws unless the response has one of these statuses. */
  require(answer: IncomingMessage, accepted: readonly number[]): Promise<string>;
}

const IDLE_MS = 30_000;
const MAX_TEXT_BYTES = 4096;

export function createS3Client({ name, settings, clock }: S3ClientDeps): S3Client {
  return {
    async ask({ method, key, query = {}, headers: given = {}, body }) {
      const url = new URL(`${settings.url}/${key}`);
      url.search = formatQuery(query);
      const headers = signRequest(
        {
          method,
          path: url.pathname,
          query,
          headers: { host: url.host, ...given },
          payload: body?.sha256 ?? EMPTY_PAYLOAD,
        },
        settings,
        clock.now(),
      );
      const open = url.protocol === "https:" ? requestHttps : requestHttp;
      const sent = open(url, { method, headers: { ...headers, ...formatLength(body) }, timeout: IDLE_MS });
      sent.once("timeout", () => sent.destroy(new Error(`the ${name} did not answer in time`)));
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        sent.once("response", resolve).once("error", reject);
      });
      try {
        if (body === undefined) sent.end();
        else if ("bytes" in body) sent.end(body.bytes);
        // A store that refuses a request answers before it has read everything.
        else pipeline(createReadStream(body.path), sent).catch(() => undefined);
        return await answered;
      } catch (cause) {
        throw new Problem("unavailable", `the ${name} does not answer`, { cause });
      }
    },

    async require(answer, accepted) {
      const { statusCode = 0 } = answer;
      const text = await readStart(answer);
      if (accepted.includes(statusCode)) return text;
      // The text of the store is for the log only, because it can contain the access key.
      const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? "no reason";
      throw new Problem("unavailable", `the ${name} answered ${statusCode}: ${code}`);
    },
  };
}

function formatLength(body: S3Body | undefined): Record<string, string> {
  if (body === undefined) return {};
  return { "content-length": String("bytes" in body ? body.bytes.length : body.size_bytes) };
}

async function readStart(answer: Readable): Promise<string> {
  let text = "";
  try {
    for await (const chunk of answer) {
      text += String(chunk);
      if (text.length > MAX_TEXT_BYTES) break;
    }
  } catch {
    // The status says enough.
    return text;
  }
  return text;
}
