import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { invalidField } from "@kit/problem";

/** The certificate of the service itself, or none. */
export function readTls(certificatePath: string | undefined, keyPath: string | undefined) {
  if (certificatePath === undefined && keyPath === undefined) return undefined;
  return { cert: readNamed("SOC_TLS_CERT", certificatePath), key: readNamed("SOC_TLS_KEY", keyPath) };
}

export interface SyslogTlsVariables {
  SOC_SYSLOG_TLS_PORT?: number;
  SOC_SYSLOG_TLS_CERT?: string;
  SOC_SYSLOG_TLS_KEY?: string;
  SOC_SYSLOG_TLS_CA?: string;
}

/** What syslog over TLS needs. Refused now, and not at the first handshake, which only the sender would notice. */
export function readSyslogTls(read: SyslogTlsVariables) {
  const { SOC_SYSLOG_TLS_PORT: tlsPort, SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA } = read;
  if (tlsPort === undefined) {
    for (const [variable, path] of Object.entries({ SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA })) {
      if (path !== undefined) throw invalidField("SOC_SYSLOG_TLS_PORT", `is required beside ${variable}`);
    }
    return {};
  }
  const cert = readNamed("SOC_SYSLOG_TLS_CERT", SOC_SYSLOG_TLS_CERT);
  const key = readNamed("SOC_SYSLOG_TLS_KEY", SOC_SYSLOG_TLS_KEY);
  const ca = SOC_SYSLOG_TLS_CA === undefined ? undefined : readNamed("SOC_SYSLOG_TLS_CA", SOC_SYSLOG_TLS_CA);
  const certificate = certificateIn("SOC_SYSLOG_TLS_CERT", cert);
  if (!certificate.checkPrivateKey(keyIn("SOC_SYSLOG_TLS_KEY", key))) {
    throw invalidField("SOC_SYSLOG_TLS_KEY", "must be the key of SOC_SYSLOG_TLS_CERT");
  }
  if (ca !== undefined) certificateIn("SOC_SYSLOG_TLS_CA", ca);
  return { tlsPort, tls: { cert, key, ...(ca && { ca }) } };
}

function readNamed(variable: string, path: string | undefined): Buffer {
  if (path === undefined) throw invalidField(variable, "is required, too");
  try {
    return readFileSync(path);
  } catch (cause) {
    throw invalidField(variable, "must name a readable file", { cause });
  }
}

function certificateIn(variable: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalidField(variable, "must name a file with a certificate as PEM", { cause });
  }
}

function keyIn(variable: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw invalidField(variable, "must name a file with a private key as PEM, without a passphrase", {
      cause,
    });
  }
}
