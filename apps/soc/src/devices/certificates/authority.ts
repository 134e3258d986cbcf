import "reflect-metadata";
import {
  createHash,
  createHmac,
  createPrivateKey,
  KeyObject,
  X509Certificate as NodeCertificate,
  type webcrypto,
} from "node:crypto";
import { isIP } from "node:net";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import * as x509 from "@peculiar/x509";
import { openKeyFile } from "../../foundation/records/key-file.ts";
import type { Pair } from "../../ports/broker.ts";
import { parseCertificateRequest } from "./certificate-request.ts";
import { buildRevocationList, type RevokedCertificate } from "./revocation-list.ts";

/** The stored fields of a certificate. */
export interface IssuedCertificate {
  pem: string;
  serial: string;
  /** The SHA-256 digest of the certificate. */
  fingerprint: string;
  not_after: Date;
}

export interface AuthorityDeps {
  /** The file with the key and the certificate of the authority; created if missing. */
  path: string;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
}
export type Authority = Awaited<ReturnType<typeof openAuthority>>;

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const NAME = "SOC_DEVICES_CA_FILE";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const AUTHORITY_MS = 20 * 365 * DAY_MS;
/** The certificate must already be valid for a device with a slow clock. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;
const DEVICE_CERTIFICATE_MS = DAY_MS;
const LIST_MS = 7 * DAY_MS;
const SERIAL_BYTES = 16;

/** Opens the certificate authority of the devices. Processes that start concurrently all open the same one. */
export async function openAuthority({ path, clock, ids }: AuthorityDeps) {
  const pem = (await openKeyFile(NAME, path, () => createRoot({ clock, ids }))).toString("utf8");
  const { root, key, signingKey } = await readRoot(pem);
  const secret = key.export({ type: "pkcs8", format: "der" });
  const issuer = new Uint8Array(root.subjectName.toArrayBuffer());
  const keyId = Buffer.from(root.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId ?? "", "hex");

  interface Request {
    subject: string;
    publicKey: webcrypto.CryptoKey;
    lifetimeMs: number;
    usage: x509.ExtendedKeyUsage;
    names?: readonly string[];
  }

  async function issue({ subject, publicKey, lifetimeMs, usage, names = [] }: Request): Promise<IssuedCertificate> {
    const now = clock.now().getTime();
    // Certificates store whole seconds.
    const not_after = new Date(Math.floor((now + lifetimeMs) / 1000) * 1000);
    const serial = makeSerial(ids);
    const alternativeNames = names.map((name) => ({ type: isIP(name) ? "ip" : "dns", value: name }) as const);
    const issued = await x509.X509CertificateGenerator.create({
      serialNumber: serial,
      subject: [{ CN: [subject] }],
      issuer: root.subject,
      notBefore: new Date(now - CLOCK_SKEW_MS),
      notAfter: not_after,
      publicKey,
      signingKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        ...(alternativeNames.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternativeNames)] : []),
        await x509.AuthorityKeyIdentifierExtension.create(root),
      ],
    });
    return { pem: `${issued.toString("pem")}\n`, serial, fingerprint: computeFingerprint(issued), not_after };
  }

  async function issuePair(request: Omit<Request, "publicKey">): Promise<IssuedCertificate & Pair> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const issued = await issue({ ...request, publicKey: keys.publicKey });
    return { ...issued, cert: issued.pem, key: exportKey(keys.privateKey) };
  }

  return {
    /** PEM; devices and the broker trust it. */
    certificate: `${root.toString("pem")}\n`,
    fingerprint: computeFingerprint(root),

    /** Exported here, so that the library is loaded with the authority instead of with the platform. */
    parseRequest: parseCertificateRequest,

    /** Derives a name that only processes with the key of the authority can know. */
    deriveName: (purpose: string): string => createHmac("sha256", secret).update(purpose).digest("hex"),

    /** Certifies the public key of a device. The device's id is its only name. */
    issueForDevice: async (device_id: string, spki: Uint8Array<ArrayBuffer>): Promise<IssuedCertificate> => {
      const publicKey = await crypto.subtle.importKey("spki", spki, ALGORITHM, true, ["verify"]);
      const usage = x509.ExtendedKeyUsage.clientAuth;
      return issue({ subject: device_id, publicKey, lifetimeMs: DEVICE_CERTIFICATE_MS, usage });
    },

    /** Issues a certificate with which the platform is a client of the broker. */
    issueForClient: (name: string, lifetimeMs: number) =>
      issuePair({ subject: name, lifetimeMs, usage: x509.ExtendedKeyUsage.clientAuth }),

    /** Issues a certificate for a server that devices connect to. */
    issueForServer: (names: readonly string[], lifetimeMs: number) =>
      issuePair({ subject: names[0] ?? "", lifetimeMs, usage: x509.ExtendedKeyUsage.serverAuth, names }),

    /** Signs the list of revoked certificates as PEM. */
    signList(number: number, revoked: readonly RevokedCertificate[]) {
      const signedAt = clock.now();
      const nextUpdate = new Date(signedAt.getTime() + LIST_MS);
      return { pem: buildRevocationList({ issuer, keyId, key, number, signedAt, nextUpdate, revoked }), nextUpdate };
    },
  };
}

/** Returns a positive, unguessable serial number of constant length (RFC 5280, section 4.1.2.2). */
function makeSerial(ids: Pick<Ids, "secret">): string {
  const bytes = ids.secret(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}

function computeFingerprint({ rawData }: x509.X509Certificate): string {
  return createHash("sha256").update(new Uint8Array(rawData)).digest("hex");
}

function exportKey(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: "pkcs8", format: "pem" }).toString();
}

async function createRoot({ clock, ids }: Omit<AuthorityDeps, "path">): Promise<string> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const now = clock.now().getTime();
  const serialNumber = makeSerial(ids);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber,
    // Two platforms must not share a name, because a device would try the wrong root.
    name: `CN=Manara devices ${serialNumber.slice(-8)}`,
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + AUTHORITY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return `${exportKey(keys.privateKey)}${root.toString("pem")}\n`;
}

async function readRoot(pem: string) {
  try {
    const key = createPrivateKey(pem);
    const certificate = pem.slice(pem.indexOf("-----BEGIN CERTIFICATE-----"));
    if (new NodeCertificate(certificate).checkPrivateKey(key)) {
      const pkcs8 = new Uint8Array(key.export({ type: "pkcs8", format: "der" }));
      const signingKey = await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHM, false, ["sign"]);
      return { root: new x509.X509Certificate(certificate), key, signingKey };
    }
  } catch (cause) {
    throw invalidField(NAME, "must contain a P-256 key and its certificate", { cause });
  }
  throw invalidField(NAME, "must contain a P-256 key and its certificate");
}
