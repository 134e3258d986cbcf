import { X509Certificate } from "node:crypto";
import { request } from "node:https";
import { isIP } from "node:net";
import { connect, type DetailedPeerCertificate } from "node:tls";
import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import type { PlatformAddress } from "./platform-address.ts";

export interface PlatformRequest {
  address: PlatformAddress;
  /** The only authority that is trusted, PEM. */
  authority: string;
  path: string;
  body: string;
  /** The device's identity; a new device has none. */
  pair?: { certificate: string; key: string };
}

export interface PlatformAnswer {
  status: number;
  text: string;
}

/** The platform's server for devices. A server that fails us is an "unavailable" Problem that names the field. */
export interface PlatformClient {
  /** The certificate with this fingerprint among those of the server, PEM. Sends nothing else. */
  findAuthority(address: PlatformAddress, fingerprint: string): Promise<string>;
  /** One request by TLS 1.3, verified against the given authority. */
  post(request: PlatformRequest): Promise<PlatformAnswer>;
}

const EXCHANGE_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_CHAIN = 10;
const REVOKED = "ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED";
const OTHER_NAME = "ERR_TLS_CERT_ALTNAME_INVALID";
const WRONG_TIME: ReadonlySet<unknown> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);
const FOREIGN: ReadonlySet<unknown> = new Set([
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "CERT_SIGNATURE_FAILURE",
  "INVALID_CA",
]);

export function createPlatformClient({ clock }: { clock: Pick<Clock, "deadline"> }): PlatformClient {
  return {
    findAuthority: ({ host, port }, fingerprint) =>
      new Promise((resolve, reject) => {
        // Not verified yet: the chain is only searched for the certificate that the owner named.
        const socket = connect({ ...toTls(host), host, port, rejectUnauthorized: false });
        const late = clock.deadline(EXCHANGE_MS);
        late.addEventListener("abort", () => socket.destroy(new Error("no answer in time")), { once: true });
        socket.once("error", (error) => reject(explainFailure(error)));
        socket.once("close", () => reject(explainFailure(new Error("closed"))));
        socket.once("secureConnect", () => {
          const found = listChain(socket.getPeerCertificate(true)).find((each) => isNamed(each, fingerprint));
          if (found) resolve(found.toString());
          else reject(refuseAuthority());
          socket.destroy();
        });
      }),

    post: ({ address: { host, port }, authority, path, body, pair }) =>
      new Promise((resolve, reject) => {
        const asked = request({
          ...toTls(host),
          ...(pair && { cert: pair.certificate, key: pair.key }),
          ...{ host, port, path, method: "POST", agent: false, ca: authority, rejectUnauthorized: true },
          headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
        });
        const late = clock.deadline(EXCHANGE_MS);
        late.addEventListener("abort", () => asked.destroy(new Error("no answer in time")), { once: true });
        asked.once("error", (error) => reject(explainFailure(error)));
        asked.once("response", (response) => {
          const parts: Buffer[] = [];
          let bytes = 0;
          response.on("data", (part: Buffer) => {
            bytes += part.length;
            if (bytes > MAX_ANSWER_BYTES) asked.destroy(new Error("the answer is too long"));
            else parts.push(part);
          });
          response.once("error", (error) => reject(explainFailure(error)));
          response.once("end", () => {
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") });
          });
        });
        asked.end(body);
      }),
  };
}

/** Required of every connection to the platform and its broker. */
export function toTls(host: string) {
  // A server name must not be an address (RFC 6066, section 3).
  return { minVersion: "TLSv1.3", ...(isIP(host) === 0 && { servername: host }) } as const;
}

function refuseAuthority(): Problem {
  const text = "is not of the authority that this platform presents";
  return invalidField("authority_fingerprint", text, { code: "foreign_authority" });
}

function listChain(first: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let each = first; each?.raw !== undefined && chain.length < MAX_CHAIN; each = each.issuerCertificate) {
    chain.push(new X509Certificate(each.raw));
    if (each.issuerCertificate === each) break;
  }
  return chain;
}

function isNamed({ ca, fingerprint256 }: X509Certificate, fingerprint: string): boolean {
  return ca && fingerprint256.replaceAll(":", "").toLowerCase() === fingerprint;
}

/** A failed connection in product words. The code `certificate_revoked`: the server has revoked our certificate. */
export function explainFailure(cause: unknown, field = "address"): Problem {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === REVOKED) return refuse(field, "this device's certificate was revoked", "certificate_revoked", cause);
  if (code === OTHER_NAME)
    return refuse(field, "the certificate of this server is for another name", "other_name", cause);
  if (WRONG_TIME.has(code)) {
    return refuse("clock", "the server's certificate is not valid at this device's time", "wrong_time", cause);
  }
  if (FOREIGN.has(code)) {
    return refuse(
      "authority_fingerprint",
      "the server's certificate is not of this authority",
      "foreign_authority",
      cause,
    );
  }
  return refuse(field, "the server cannot be reached", "unreachable", cause);
}

function refuse(field: string, text: string, code: string, cause: unknown): Problem {
  return new Problem("unavailable", `${field}: ${text}`, { field, code, cause });
}
