import type { X509Certificate } from "node:crypto";
import { findEndorsementKeyFault } from "./key-requirements.ts";
import { computeName, type PublicArea, toKeyObject } from "./tpm/public-area.ts";

/**
 * Decides which TPMs are genuine. A key alone proves nothing, because software can create a key and decrypt credentials
 * with it.
 */
export interface EndorsementTrust {
  /** Certificates of TPM makers. */
  roots: readonly X509Certificate[];
  /** Hexadecimal names of endorsement keys that the operator has read from devices. */
  names: ReadonlySet<string>;
  /** The device of an endorsement key, for keys of which the operator has named it. */
  devices?: ReadonlyMap<string, string>;
}

/** Returns whether the operator has named the device of this key, or the key of this device, as another one. */
export function isOfOtherDevice({ devices = new Map() }: EndorsementTrust, key: string, device: string): boolean {
  const owner = devices.get(key);
  return owner === undefined ? [...devices.values()].includes(device) : owner !== device;
}

const MAX_CHAIN = 5;

/**
 * Returns why the key is not known to belong to a TPM; undefined if it is. The chain starts with the certificate of the
 * key; it may be empty for a key that the operator has named.
 */
export function findEndorsementFault(
  area: PublicArea,
  chain: readonly X509Certificate[],
  { roots, names }: EndorsementTrust,
  now: Date,
): string | undefined {
  const fault = findEndorsementKeyFault(area);
  if (fault) return fault;
  if (names.has(computeName(area).toString("hex"))) return undefined;
  const [certificate, ...issuers] = chain;
  if (!certificate) return "the endorsement key has no certificate and is not among those that the operator trusts";
  if (!certificate.publicKey.equals(toKeyObject(area))) return "the certificate does not belong to the endorsement key";
  return findChainFault(certificate, issuers, roots, now);
}

function findChainFault(
  certificate: X509Certificate,
  issuers: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: Date,
): string | undefined {
  if (issuers.length >= MAX_CHAIN) return `the chain has more than ${MAX_CHAIN} certificates`;
  let current = certificate;
  for (;;) {
    if (!isValidAt(current, now)) return `the certificate of '${current.subject}' is not valid at this time`;
    const subject = current;
    if (roots.some((root) => root.raw.equals(subject.raw) || isIssuedBy(subject, root))) return undefined;
    const [issuer, ...rest] = issuers;
    if (!issuer || !isIssuedBy(subject, issuer))
      return "no maker of TPMs that the operator trusts has certified the key";
    issuers = rest;
    current = issuer;
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isValidAt({ validFrom, validTo }: X509Certificate, now: Date): boolean {
  const ms = now.getTime();
  return Date.parse(validFrom) <= ms && ms <= Date.parse(validTo);
}
