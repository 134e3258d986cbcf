import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { Validity } from "./issue.ts";
import { type Pair, readPair, savePair } from "./pair.ts";

const DAY_MS = 86_400_000;
const CA_DAYS = 3650;
// Browsers refuse server certificates that are valid for longer than 398 days.
const SERVER_DAYS = 397;
const RENEW_BEFORE_DAYS = 30;
// A clock before this date is wrong: this software did not exist yet. A device without a clock chip starts like that.
const EARLIEST_MS = Date.UTC(2026, 0, 1);

export interface Certificate extends Tls {
  /** The root certificate that a phone must trust, in DER; undefined when the operator provides the certificate. */
  authority: Buffer | undefined;
}

export interface CertificateDeps {
  dataFolder: string;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "warn">;
  /** DNS names and IP addresses under which the device is reachable now. */
  names: () => readonly string[];
}

/** The device's own certificate, signed by the device's own authority. It is kept as long as it is usable. */
export async function openCertificate(deps: CertificateDeps): Promise<Certificate> {
  const authority = await openAuthority(join(deps.dataFolder, "tls", "ca.json"), deps);
  const root = new X509Certificate(authority.cert);
  const path = join(deps.dataFolder, "tls", "server.json");
  const kept = await readPair(path, deps.log);
  const server = kept && isUsable(kept, root, deps) ? kept : await makeServerPair(path, authority, deps);
  return { ...server, authority: root.raw };
}

async function openAuthority(path: string, deps: CertificateDeps): Promise<Pair> {
  const kept = await readPair(path, deps.log);
  if (kept && isCurrent(new X509Certificate(kept.cert), deps)) return kept;
  const { issueAuthority } = await import("./issue.ts");
  const name = `Manara Player ${deps.ids.secret(4).toString("hex")}`;
  return savePair(path, await issueAuthority(name, buildValidity(deps, CA_DAYS)));
}

async function makeServerPair(path: string, authority: Pair, deps: CertificateDeps): Promise<Pair> {
  // Rarely needed and large: load it only when it is needed.
  const { issueServer } = await import("./issue.ts");
  const { validTo } = new X509Certificate(authority.cert);
  const validity = buildValidity(deps, SERVER_DAYS, new Date(validTo));
  return savePair(path, await issueServer(deps.names(), authority, validity));
}

/** A certificate must not outlive the authority that signed it. */
function buildValidity({ clock, ids }: CertificateDeps, days: number, latest?: Date): Validity {
  const now = Math.max(clock.now().getTime(), EARLIEST_MS);
  const notAfter = new Date(now + days * DAY_MS);
  return {
    serialNumber: ids.secret(16).toString("hex"),
    // A device without a clock chip may start with a clock that is slightly in the past.
    notBefore: new Date(now - DAY_MS),
    notAfter: latest && latest < notAfter ? latest : notAfter,
  };
}

/** When the clock is obviously wrong, keep the certificate that phones already trust. */
function isCurrent({ validFrom, validTo }: X509Certificate, { clock }: CertificateDeps): boolean {
  const now = clock.now().getTime();
  const renewAt = Date.parse(validTo) - RENEW_BEFORE_DAYS * DAY_MS;
  return now < EARLIEST_MS || (now >= Date.parse(validFrom) && now < renewAt);
}

/** Names that the device no longer has do no harm. */
function isUsable({ cert }: Pair, root: X509Certificate, deps: CertificateDeps): boolean {
  const certificate = new X509Certificate(cert);
  const coversName = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name));
  const isIssued = certificate.checkIssued(root) && certificate.verify(root.publicKey);
  return isIssued && isCurrent(certificate, deps) && deps.names().every(coversName);
}
