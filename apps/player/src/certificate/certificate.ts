import { X509Certificate } from "node:crypto";
import { rm } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Tls } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { Validity } from "./issue.ts";
import { hasNameConstraints, isPermittedName } from "./name-constraints.ts";
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
  /** Whether the clock was set by a time server, a chip or a person; otherwise it may be wrong by years. */
  isClockValid: boolean;
  ids: Pick<Ids, "secret">;
  log: Pick<Log, "warn">;
  hostname: string;
  /** DNS names and IP addresses under which the device is reachable now. */
  names: readonly string[];
}

/** The device's own certificate, signed by the device's own authority. It is kept as long as it is usable. */
export async function openCertificate(deps: CertificateDeps): Promise<Certificate> {
  const authority = await openAuthority(deps);
  const root = new X509Certificate(authority.cert);
  const path = join(tlsFolder(deps), "server.json");
  const kept = await readPair(path, deps.log);
  const names = deps.names.filter((name) => isPermittedName(name, root.raw));
  const isKept = kept !== undefined && isUsable(kept, root, names, deps);
  const server = isKept ? kept : await makeServerPair(path, authority, names, kept, deps);
  return { ...server, authority: root.raw };
}

/** Forgets the authority and its key: the next certificate comes from a new one, which phones must trust again. */
export async function forgetAuthority(deps: Pick<CertificateDeps, "dataFolder">): Promise<void> {
  for (const name of ["server.json", "ca-former.json", "ca.json"])
    await rm(join(tlsFolder(deps), name), { force: true });
}

function tlsFolder({ dataFolder }: Pick<CertificateDeps, "dataFolder">): string {
  return join(dataFolder, "tls");
}

/** Phones trust the authority's key, so the key never changes; only its certificate is renewed. */
async function openAuthority(deps: CertificateDeps): Promise<Pair> {
  const path = join(tlsFolder(deps), "ca.json");
  const formerPath = join(tlsFolder(deps), "ca-former.json");
  const current = await readPair(path, deps.log);
  const former = current ?? (await readPair(formerPath, deps.log));
  if (current && isSound(new X509Certificate(current.cert), deps)) return current;
  const { issueAuthority } = await import("./issue.ts");
  const renewed = await issueAuthority({
    name: `Manara Player ${deps.ids.secret(4).toString("hex")}`,
    hostname: deps.hostname,
    // Valid from the epoch, so that a clock set back never precedes it.
    validity: { ...buildValidity(deps, CA_DAYS), notBefore: new Date(EARLIEST_MS - DAY_MS) },
    former,
  });
  if (current) await savePair(formerPath, current, deps.log);
  return savePair(path, renewed, deps.log);
}

/** An authority of an earlier version could sign for every site of the internet; its certificate is replaced. */
function isSound({ raw, validTo }: X509Certificate, { isClockValid, clock }: CertificateDeps): boolean {
  return hasNameConstraints(raw) && !(isClockValid && clock.now().getTime() >= renewalOf(validTo));
}

async function makeServerPair(
  path: string,
  authority: Pair,
  names: readonly string[],
  former: Pair | undefined,
  deps: CertificateDeps,
): Promise<Pair> {
  // Rarely needed and large: load it only when it is needed.
  const { issueServer } = await import("./issue.ts");
  const { validTo } = new X509Certificate(authority.cert);
  const validity = buildValidity(deps, SERVER_DAYS, new Date(validTo));
  return savePair(path, await issueServer({ names, authority, validity, former }), deps.log);
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

function renewalOf(validTo: string): number {
  return Date.parse(validTo) - RENEW_BEFORE_DAYS * DAY_MS;
}

/** A clock that is not known to be right may be behind, so a certificate of its future is kept. */
function isCurrent({ validFrom, validTo }: X509Certificate, { clock, isClockValid }: CertificateDeps): boolean {
  const now = clock.now().getTime();
  if (now < EARLIEST_MS) return true;
  return now < renewalOf(validTo) && (!isClockValid || now >= Date.parse(validFrom));
}

/** For example "DNS:localhost, IP Address:127.0.0.1". */
function listNames({ subjectAltName = "" }: X509Certificate): string[] {
  return subjectAltName.split(", ").map((name) => name.replace(/^(DNS|IP Address):/, ""));
}

/** Names that the device no longer has do no harm, but one that the authority may not sign makes all others invalid. */
function isUsable({ cert }: Pair, root: X509Certificate, names: readonly string[], deps: CertificateDeps): boolean {
  const certificate = new X509Certificate(cert);
  const coversName = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name));
  const isIssued = certificate.checkIssued(root) && certificate.verify(root.publicKey);
  const isPermitted = listNames(certificate).every((name) => isPermittedName(name, root.raw));
  return isIssued && isPermitted && isCurrent(certificate, deps) && names.every(coversName);
}
