import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export const S3_KEY = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const digest = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Computes the expected signature from the received request, independently of our own signer. */
export function computeS3Signature(method: string, target: string, headers: Headers, secret: string): string {
  const [path = "", query = ""] = target.split("?");
  const given = /Credential=[^/]+\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request,\s*SignedHeaders=([^,]+),/.exec(
    String(headers.authorization),
  );
  if (!given) return "";
  const [, day = "", region = "", service = "", signed = ""] = given;
  let canonical = `${method}\n${path}\n${query
    .split("&")
    .filter(Boolean)
    .map((pair) => (pair.includes("=") ? pair : `${pair}=`))
    .sort()
    .join("&")}\n`;
  for (const name of signed.split(";")) canonical += `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}\n`;
  canonical += `\n${signed}\n${String(headers["x-amz-content-sha256"])}`;
  let key: Uint8Array = Buffer.from(`AWS4${secret}`);
  for (const part of [day, region, service, "aws4_request"]) key = createHmac("sha256", key).update(part).digest();
  const text = `AWS4-HMAC-SHA256\n${String(headers["x-amz-date"])}\n${day}/${region}/${service}/aws4_request\n${digest(canonical)}`;
  return createHmac("sha256", key).update(text).digest("hex");
}

/** A bucket on loopback that refuses invalid signatures and content that differs from its signed hash, as S3 does. */
export async function startS3Server({ secret = S3_KEY.secretAccessKey } = {}) {
  const objects = new Map<string, Buffer>();
  const requests: { method: string; path: string; headers: Headers }[] = [];
  const failing = { status: 0 };

  async function respond(request: IncomingMessage): Promise<[status: number, body?: string | Buffer]> {
    const { method = "", url = "", headers } = request;
    const body = await buffer(request);
    requests.push({ method, path: url, headers });
    if (failing.status > 0) return [failing.status, "<Error><Code>SlowDown</Code></Error>"];
    if (!isSignedBy(secret, request)) {
      return [
        403,
        `<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>${S3_KEY.accessKeyId}</AWSAccessKeyId></Error>`,
      ];
    }
    if (headers["x-amz-content-sha256"] !== digest(body))
      return [400, "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"];
    if (method === "PUT") {
      objects.set(url, body);
      return [200];
    }
    const found = objects.get(url);
    if (method === "DELETE") {
      objects.delete(url);
      return [204];
    }
    return found ? [200, found] : [404, "<Error><Code>NoSuchKey</Code></Error>"];
  }

  const server = createServer((request, response) => {
    void respond(request).then(([status, body]) => response.writeHead(status).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    requests,
    /** Answers every further request with this status; 0 ends it. */
    fail(status: number) {
      failing.status = status;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isSignedBy(secret: string, { method = "", url = "", headers }: IncomingMessage): boolean {
  const authorization = headers.authorization ?? "";
  const given = /Signature=([0-9a-f]{64})$/.exec(authorization)?.[1];
  const signed = /SignedHeaders=([^,]+),/.exec(authorization)?.[1]?.split(";") ?? [];
  const areSigned = ["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name));
  return areSigned && given === computeS3Signature(method, url, headers, secret);
}
