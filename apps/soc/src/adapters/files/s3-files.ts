import { createReadStream } from "node:fs";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { FileStore } from "../../casework/case-files/file-store.ts";
import { EMPTY_PAYLOAD, type S3Credentials, signRequest } from "./sigv4.ts";

export interface S3Settings extends S3Credentials {
  /** `https://host/bucket`, optionally with a prefix; without a slash at its end. */
  url: string;
}

export interface S3FilesDeps {
  settings: S3Settings;
  clock: Pick<Clock, "now">;
}

interface Asked {
  method: "GET" | "PUT" | "DELETE";
  sha256: string;
  body?: { path: string; size_bytes: number };
}

const IDLE_MS = 30_000;
const MAX_ERROR_BYTES = 4096;

/** Contents of files in a bucket of an S3-compatible store, addressed by path. */
export function createS3Files({ settings, clock }: S3FilesDeps): FileStore {
  /** The answer as soon as its headers have arrived. */
  async function ask({ method, sha256, body }: Asked): Promise<IncomingMessage> {
    const url = new URL(`${settings.url}/${sha256}`);
    const payload = body ? sha256 : EMPTY_PAYLOAD;
    const headers = signRequest(
      { method, path: url.pathname, headers: { host: url.host }, payload },
      settings,
      clock.now(),
    );
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    const length = body ? { "content-length": String(body.size_bytes) } : {};
    const sent = open(url, { method, headers: { ...headers, ...length }, timeout: IDLE_MS });
    sent.once("timeout", () => sent.destroy(new Error("the file store did not answer in time")));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve).once("error", reject);
    });
    try {
      if (body) {
        // A store that refuses answers before it has read everything.
        pipeline(createReadStream(body.path), sent).catch(() => undefined);
      } else sent.end();
      return await answered;
    } catch (cause) {
      throw new Problem("unavailable", "the file store does not answer", { cause });
    }
  }

  /** Ends the exchange; throws unless the store answered with one of these statuses. */
  async function require(answer: IncomingMessage, accepted: readonly number[]): Promise<void> {
    const { statusCode = 0 } = answer;
    const text = await readStart(answer);
    if (accepted.includes(statusCode)) return;
    // The text of the store is for the log only: it can contain the access key.
    const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1] ?? "no reason";
    throw new Problem("unavailable", `the file store answered ${statusCode}: ${code}`);
  }

  return {
    async keep({ path, sha256, size_bytes }) {
      await require(await ask({ method: "PUT", sha256, body: { path, size_bytes } }), [200]);
    },

    async open(sha256) {
      const answer = await ask({ method: "GET", sha256 });
      if (answer.statusCode === 200) return answer;
      await require(answer, [404]);
      return undefined;
    },

    async remove(sha256) {
      await require(await ask({ method: "DELETE", sha256 }), [200, 204, 404]);
    },
  };
}

async function readStart(answer: Readable): Promise<string> {
  let text = "";
  try {
    for await (const chunk of answer) {
      text += String(chunk);
      if (text.length > MAX_ERROR_BYTES) break;
    }
  } catch {
    // The status says enough.
    return text;
  }
  return text;
}
