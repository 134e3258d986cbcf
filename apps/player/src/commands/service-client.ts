import { readFile } from "node:fs/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { Config } from "../config.ts";
import { readIfExists } from "../storage/durable-file.ts";

export interface ServiceAnswer {
  status: number;
  text: string;
}

export type AskService = (method: "GET" | "POST", path: string, body?: string) => Promise<ServiceAnswer>;

const ANSWER_MS = 30_000;
const ALL_ADDRESSES: readonly string[] = ["::", "0.0.0.0"];
const Authority = Type.Object({ cert: Type.String() });

/** Asks the service on this machine as its owner, with the token and the certificate that its data folder holds. */
export function createServiceClient(
  config: Pick<Config, "host" | "port" | "hasTls" | "dataFolder" | "certificateFiles">,
  clock: Pick<Clock, "deadline">,
): AskService {
  const { host, port, hasTls, dataFolder } = config;
  const address = ALL_ADDRESSES.includes(host) ? "127.0.0.1" : host;
  return async (method, path, body) => {
    const token = (await readIfExists(join(dataFolder, "token")))?.trim();
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const options = { host: address, port, method, path, headers, signal: clock.deadline(ANSWER_MS) };
    const trust = hasTls ? await readTrust(config) : undefined;
    return new Promise((resolve, reject) => {
      const asked = trust ? requestHttps({ ...options, ...trust }) : requestHttp(options);
      asked.on("response", (answer) => {
        text(answer).then((read) => resolve({ status: answer.statusCode ?? 0, text: read }), reject);
      });
      asked.on("error", (cause) =>
        reject(new Problem("unavailable", `the service does not answer at ${address}, port ${port}`, { cause })),
      );
      asked.end(body);
    });
  };
}

/** Its own authority signs for loopback; a certificate of the owner's has other names, and is recognised itself. */
async function readTrust({ dataFolder, certificateFiles }: Pick<Config, "dataFolder" | "certificateFiles">) {
  if (certificateFiles) {
    const ca = await readFile(certificateFiles.certPath, "utf8");
    return { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
  }
  const kept = await readIfExists(join(dataFolder, "tls", "ca.json"));
  if (kept === undefined)
    throw new Problem("unavailable", `there is no certificate in ${dataFolder}: start the service once`);
  return { ca: Value.Parse(Authority, JSON.parse(kept)).cert };
}

/** The text of a response. Any status other than 200 throws with the message of the service. */
export async function requireAnswer(asked: Promise<ServiceAnswer>): Promise<string> {
  const { status, text: body } = await asked;
  if (status === 200) return body;
  throw new Problem("unavailable", `the service answered ${status}: ${body.slice(0, 300)}`);
}
