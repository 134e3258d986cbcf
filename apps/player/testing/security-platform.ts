import "reflect-metadata";
import { createHash, KeyObject, randomBytes, type webcrypto, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { TLSSocket } from "node:tls";
import { createClock } from "@kit/clock";
import { freePort, startProcess } from "@kit/testing/process";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;
const clock = createClock();

export interface ReceivedRequest {
  path: string;
  /** The name in the certificate of the sender; undefined without a valid one. */
  device: string | undefined;
  body: Record<string, unknown>;
}

export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>;

/** A certificate authority of a test. */
export async function createTestAuthority(name = "Test devices") {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const nowMs = clock.now().getTime();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: makeSerial(), name: `CN=${name}`, keys, signingAlgorithm: ALGORITHM },
    ...{ notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + 10 * DAY_MS) },
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  async function issue(subject: string, publicKey: webcrypto.CryptoKey, names: readonly string[], lifetimeMs: number) {
    const issuedMs = clock.now().getTime();
    const alternative = names.map((each) => ({ type: isIP(each) ? "ip" : "dns", value: each }) as const);
    const usage = names.length > 0 ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
    const certificate = await x509.X509CertificateGenerator.create({
      ...{ serialNumber: makeSerial(), subject: `CN=${subject}`, issuer: root.subject, publicKey },
      ...{ notBefore: new Date(issuedMs - 60_000), notAfter: new Date(issuedMs + lifetimeMs) },
      ...{ signingKey: keys.privateKey, signingAlgorithm: ALGORITHM },
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        ...(alternative.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternative)] : []),
        await x509.AuthorityKeyIdentifierExtension.create(root),
      ],
    });
    return `${certificate.toString("pem")}\n`;
  }

  return {
    certificate: `${root.toString("pem")}\n`,
    fingerprint: createHash("sha256").update(new Uint8Array(root.rawData)).digest("hex"),

    issueForRequest: async (subject: string, csr: string, lifetimeMs: number): Promise<string> => {
      const request = new x509.Pkcs10CertificateRequest(csr);
      if (!(await request.verify())) throw new Error("the request is not signed by its key");
      return issue(subject, await request.publicKey.export(ALGORITHM, ["verify"]), [], lifetimeMs);
    },

    issuePair: async (subject: string, names: readonly string[] = []) => {
      const pair = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
      const key = KeyObject.from(pair.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
      return { cert: await issue(subject, pair.publicKey, names, DAY_MS), key };
    },

    /** A list that revokes these certificates, PEM. */
    signList: async (certificates: readonly string[]): Promise<string> => {
      const thisUpdate = new Date(clock.now().getTime() - 60_000);
      const list = await x509.X509CrlGenerator.create({
        ...{ issuer: root.subject, thisUpdate, nextUpdate: new Date(thisUpdate.getTime() + DAY_MS) },
        ...{ signingKey: keys.privateKey, signingAlgorithm: ALGORITHM },
        entries: certificates.map((pem) => ({
          serialNumber: new X509Certificate(pem).serialNumber,
          revocationDate: thisUpdate,
        })),
      });
      // OpenSSL accepts only this label (RFC 7468, section 6).
      return `${list.toString("pem").replaceAll(/(?<=BEGIN|END) CRL/g, " X509 CRL")}\n`;
    },
  };
}

export interface PlatformOptions {
  authority?: TestAuthority;
  /** The names in the certificate of the server. */
  names?: readonly string[];
  /** The authority of device certificates. */
  lifetimeMs?: number;
  broker?: string | null;
}

export type SecurityPlatform = Awaited<ReturnType<typeof startSecurityPlatform>>;

/** The server for enrolment, renewal and events of devices, as docs/api/soc.md describes it. */
export async function startSecurityPlatform(options: PlatformOptions = {}) {
  const { names = ["127.0.0.1", "localhost"], lifetimeMs = DAY_MS, broker = null } = options;
  const authority = options.authority ?? (await createTestAuthority());
  const { cert, key } = await authority.issuePair("platform", names);
  const port = await freePort();
  const codes = new Set<string>();
  const received: ReceivedRequest[] = [];
  const refusals = new Map<string, number>();
  let enrolled = 0;

  async function answer({ path, device, body }: ReceivedRequest): Promise<{ status: number; body: object }> {
    const status = refusals.get(path);
    if (status !== undefined) return { status, body: { detail: `refused with ${status}` } };
    if (path === "/enrol" && !codes.delete(String(body.code))) {
      return { status: 401, body: { detail: "code: is unknown, used or expired" } };
    }
    if (path === "/enrol") enrolled += 1;
    if (path !== "/enrol" && device === undefined) return { status: 401, body: { detail: "certificate: is missing" } };
    if (path === "/events") return { status: 202, body: { accepted: Object(body.events).length } };
    const device_id = device ?? `device-${enrolled}`;
    const certificate = await authority.issueForRequest(device_id, String(body.csr), lifetimeMs);
    const not_after = new Date(new X509Certificate(certificate).validTo).toISOString();
    return { status: 201, body: { device_id, certificate, authority: authority.certificate, not_after, broker } };
  }

  const tls = {
    cert: cert + authority.certificate,
    key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  } as const;
  const server = createServer({ ...tls, minVersion: "TLSv1.3" }, (request, response) => {
    const { socket, url: path = "" } = request;
    const isProven = socket instanceof TLSSocket && socket.authorized;
    const device = isProven ? String(socket.getPeerCertificate().subject.CN) : undefined;
    void json(request).then(async (body) => {
      const message = { path, device, body: Object(body) };
      received.push(message);
      const given = await answer(message);
      response.writeHead(given.status, { "content-type": "application/json" }).end(JSON.stringify(given.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));

  return {
    authority,
    address: `127.0.0.1:${port}`,
    serverFingerprint: new X509Certificate(cert).fingerprint256,
    received,
    /** Creates a code that enrols one device. */
    newCode: (): string => {
      const code = randomBytes(8).toString("hex");
      codes.add(code);
      return code;
    },
    /** Answers a path with this status from now on; undefined ends it. */
    refuse: (path: string, status: number | undefined): void => {
      if (status === undefined) refusals.delete(path);
      else refusals.set(path, status);
    },
    listEvents: () => received.filter(({ path }) => path === "/events").flatMap(({ body }) => Object(body.events)),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestBroker = Awaited<ReturnType<typeof startTestBroker>>;

/** Debian's mosquitto, which identifies its clients by their certificates. */
export async function startTestBroker(authority: TestAuthority, names: readonly string[] = ["127.0.0.1", "localhost"]) {
  const folder = await mkdtemp(join(tmpdir(), "broker-"));
  const at = (name: string) => join(folder, name);
  const port = await freePort();
  const { cert, key } = await authority.issuePair("broker", names);
  const files = { "ca.crt": authority.certificate, "server.crt": cert, "server.key": key };
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  await writeFile(at("crl.pem"), await authority.signList([]));
  const settings = [
    `listener ${port} 127.0.0.1`,
    ...[`cafile ${at("ca.crt")}`, `certfile ${at("server.crt")}`, `keyfile ${at("server.key")}`],
    ...[`crlfile ${at("crl.pem")}`, "require_certificate true", "use_identity_as_username true", "user root"],
  ];
  await writeFile(at("mosquitto.conf"), `${settings.join("\n")}\n`);
  const start = () =>
    startProcess({
      command: "mosquitto",
      args: ["-c", at("mosquitto.conf"), "-v"],
      readyWhen: /mosquitto version \S+ running/,
    });
  let running = await start();
  return {
    port,
    url: `mqtts://localhost:${port}`,
    output: () => running.output(),
    stop: async (): Promise<void> => {
      await running.stop("SIGKILL");
    },
    start: async (): Promise<void> => {
      running = await start();
    },
    /** Restarts it with a list that revokes the certificate. */
    revoke: async (certificate: string): Promise<void> => {
      await running.stop("SIGKILL");
      await writeFile(at("crl.pem"), await authority.signList([certificate]));
      running = await start();
    },
    close: async (): Promise<void> => {
      await running.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function makeSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = 0x41;
  return bytes.toString("hex");
}
