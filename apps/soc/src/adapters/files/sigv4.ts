import { createHash, createHmac } from "node:crypto";

export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

export interface SignedRequest {
  method: string;
  /** URL-encoded. */
  path: string;
  /** Names and values before URL-encoding. */
  query?: Readonly<Record<string, string>>;
  /** Includes `host`; all of them are signed. Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  payload: string;
}

export const EMPTY_PAYLOAD = createHash("sha256").digest("hex");

/** Returns the headers of a request to S3 with its signature (AWS Signature Version 4, payload in a single chunk). */
export function signRequest(
  { method, path, query = {}, headers, payload }: SignedRequest,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  at: Date,
): Record<string, string> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const sent = { ...headers, "x-amz-content-sha256": payload, "x-amz-date": time };
  const sorted = Object.entries(sent).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(";");
  const lines = sorted.map(([name, value]) => `${name}:${value.trim()}\n`).join("");
  const canonical = [method, path, formatQuery(query), lines, names, payload].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...sent, authorization };
}

/** Sorted as the signature requires. */
export function formatQuery(query: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
