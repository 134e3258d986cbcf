import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type Server } from "node:https";
import { text } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createOutboundGuard, type OutboundRequest } from "./fetch.ts";

const REQUEST: OutboundRequest = {
  field: "url",
  policy: { schemes: ["http:", "https:"], allowPrivate: false },
  connectTimeoutMs: 5000,
  idleTimeoutMs: 5000,
};

// X.690: tag, length, content.
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const hex = (bytes: string) => Buffer.from(bytes, "hex");
const sequence = (...contents: Buffer[]) => der(0x30, ...contents);

/** A certificate that signs itself (RFC 5280), so that no key has to be kept in a file. */
function certificateFor(name: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(hex("06082a8648ce3d040302"));
  const issuer = sequence(der(0x31, sequence(hex("0603550403"), der(0x0c, Buffer.from(name)))));
  const validity = sequence(der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const names = sequence(hex("0603551d11"), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const content = sequence(
    hex("a003020102"),
    hex("020101"),
    ecdsaWithSha256,
    issuer,
    validity,
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(names)),
  );
  const signature = der(0x03, hex("00"), sign("sha256", content, privateKey));
  const body = sequence(content, ecdsaWithSha256, signature).toString("base64");
  return { key: toPem(privateKey), cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n` };
}

function toPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

const servers: Server[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Serves as the name says, at 127.0.0.1, and counts what it was asked. */
async function serve(name: string, location?: string) {
  const { key, cert } = certificateFor(name);
  const seen: unknown[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    const { socket, headers } = request;
    seen.push({ servername: socket instanceof TLSSocket && socket.servername, host: headers.host });
    if (location !== undefined) response.writeHead(302, { location });
    response.end("secret");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: portOf(server), cert, seen };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

function createGuard(ca?: string) {
  return createOutboundGuard({
    resolve: async () => ["127.0.0.1"],
    ownAddresses: () => [],
    classify: () => "public",
    ...(ca === undefined ? {} : { ca: [ca] }),
  });
}

describe("HTTPS requests", () => {
  it("verifies the name instead of the address", async () => {
    const { port, cert, seen } = await serve("bank.example");
    const answer = await createGuard(cert).open(`https://bank.example:${port}/`, REQUEST);
    expect(await text(answer.body)).toBe("secret");
    expect(seen).toEqual([{ servername: "bank.example", host: `bank.example:${port}` }]);
  });

  it("refuses the certificate of another name", async () => {
    const { port, cert, seen } = await serve("bank.example");
    const failure = await createGuard(cert)
      .open(`https://shop.example:${port}/`, REQUEST)
      .catch((problem: unknown) => problem);
    expect(failure).toMatchObject({ kind: "unavailable", field: "url", message: "url: the connection failed" });
    expect(failure).toHaveProperty("cause.code", "ERR_TLS_CERT_ALTNAME_INVALID");
    expect(seen).toEqual([]);
  });

  it("refuses a certificate of an unknown authority, even if the environment would accept it", async () => {
    const { port, seen } = await serve("bank.example");
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const failure = await createGuard()
      .open(`https://bank.example:${port}/`, REQUEST)
      .catch((problem: unknown) => problem);
    expect(failure).toHaveProperty("cause.code", "DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(seen).toEqual([]);
  });

  it("follows no redirect from https to http", async () => {
    const { port, cert, seen } = await serve("bank.example", "http://bank.example/");
    await expect(createGuard(cert).open(`https://bank.example:${port}/`, REQUEST)).rejects.toMatchObject({
      kind: "invalid",
      field: "url",
      message: "url: redirect: must not lead from https to http",
    });
    expect(seen).toHaveLength(1);
  });
});
