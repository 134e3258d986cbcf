import "reflect-metadata";
import type { webcrypto } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Tls } from "@kit/http/server";
import * as x509 from "@peculiar/x509";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { readIfThere, writeDurably } from "../storage/durable-file.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
// Browsers refuse server certificates that are valid for longer than 398 days.
const SERVER_DAYS = 397;
const RENEW_BEFORE_DAYS = 30;

export interface CertificateDeps {
  dataFolder: string;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
  /** DNS names and IP addresses under which the device is reached. */
  names: readonly string[];
}

interface Authority {
  certificate: x509.X509Certificate;
  key: webcrypto.CryptoKey;
}

/** The device's own certificate, signed by the device's own small authority. Kept until it is about to expire. */
export async function openCertificate(deps: CertificateDeps): Promise<Tls> {
  const folder = join(deps.dataFolder, "tls");
  const kept = await readKept(folder, "server");
  if (kept && isGood(kept.cert, deps)) return kept;
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const authority = await openAuthority(folder, deps);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validityOf(deps, SERVER_DAYS),
    subject: "CN=Manara Player",
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(deps.names.map(toAlternativeName)),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  });
  return keep(folder, "server", keys.privateKey, certificate);
}

async function openAuthority(folder: string, deps: CertificateDeps): Promise<Authority> {
  const kept = await readKept(folder, "ca");
  if (kept) {
    const der = x509.PemConverter.decodeFirst(kept.key);
    const key = await crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
    return { certificate: new x509.X509Certificate(kept.cert), key };
  }
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validityOf(deps, CA_DAYS),
    name: `CN=Manara Player ${deps.ids.secret(4).toString("hex")}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await keep(folder, "ca", keys.privateKey, certificate);
  return { certificate, key: keys.privateKey };
}

function validityOf({ clock, ids }: CertificateDeps, days: number) {
  const now = clock.now().getTime();
  return {
    serialNumber: ids.secret(16).toString("hex"),
    // A device without a clock chip may wake up a little in the past.
    notBefore: new Date(now - DAY_MS),
    notAfter: new Date(now + days * DAY_MS),
  };
}

function isGood(pem: string, { clock, names }: CertificateDeps): boolean {
  const certificate = new x509.X509Certificate(pem);
  const held = certificate.getExtension(x509.SubjectAlternativeNameExtension)?.names.toJSON() ?? [];
  const isLongEnough = certificate.notAfter.getTime() - clock.now().getTime() > RENEW_BEFORE_DAYS * DAY_MS;
  return isLongEnough && names.every((name) => held.some(({ value }) => value === name));
}

function toAlternativeName(name: string): x509.JsonGeneralName {
  return { type: /^[\d.]+$|:/.test(name) ? "ip" : "dns", value: name };
}

async function keep(folder: string, name: string, key: webcrypto.CryptoKey, certificate: x509.X509Certificate) {
  const pkcs8 = await crypto.subtle.exportKey("pkcs8", key);
  const kept = { key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY"), cert: certificate.toString("pem") };
  // One file for both, so that a key and a certificate of different births never stand side by side.
  await writeDurably(join(folder, `${name}.json`), JSON.stringify(kept));
  return kept;
}

const Kept = Type.Object({ key: Type.String(), cert: Type.String() });

async function readKept(folder: string, name: string): Promise<Static<typeof Kept> | undefined> {
  const text = await readIfThere(join(folder, `${name}.json`));
  return text === undefined ? undefined : Value.Parse(Kept, JSON.parse(text));
}
