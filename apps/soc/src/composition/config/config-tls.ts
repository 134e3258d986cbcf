import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { invalidField } from "@kit/problem";

/** The certificate and key of the service; undefined when TLS is not configured. */
export function readTls(certificatePath: string | undefined, keyPath: string | undefined) {
  if (certificatePath === undefined && keyPath === undefined) return undefined;
  return {
    cert: readRequiredFile("SOC_TLS_CERT", certificatePath, "SOC_TLS_KEY"),
    key: readRequiredFile("SOC_TLS_KEY", keyPath, "SOC_TLS_CERT"),
  };
}

export interface SyslogTlsVariables {
  SOC_SYSLOG_TLS_PORT?: number;
  SOC_SYSLOG_TLS_CERT?: string;
  SOC_SYSLOG_TLS_KEY?: string;
  SOC_SYSLOG_TLS_CA?: string;
}

/**
 * Reads the TLS settings of syslog. Validates them at start: a failed handshake later is visible to the sender only.
 */
export function readSyslogTls(read: SyslogTlsVariables) {
  const { SOC_SYSLOG_TLS_PORT: tlsPort, SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA } = read;
  if (tlsPort === undefined) {
    for (const [variable, path] of Object.entries({ SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA })) {
      if (path !== undefined) throw invalidField("SOC_SYSLOG_TLS_PORT", `required when ${variable} is set`);
    }
    return {};
  }
  const cert = readRequiredFile("SOC_SYSLOG_TLS_CERT", SOC_SYSLOG_TLS_CERT, "SOC_SYSLOG_TLS_PORT");
  const key = readRequiredFile("SOC_SYSLOG_TLS_KEY", SOC_SYSLOG_TLS_KEY, "SOC_SYSLOG_TLS_PORT");
  const ca = SOC_SYSLOG_TLS_CA === undefined ? undefined : readNamedFile("SOC_SYSLOG_TLS_CA", SOC_SYSLOG_TLS_CA);
  const certificate = certificateIn("SOC_SYSLOG_TLS_CERT", cert);
  if (!certificate.checkPrivateKey(keyIn("SOC_SYSLOG_TLS_KEY", key))) {
    throw invalidField("SOC_SYSLOG_TLS_KEY", "must be the key of SOC_SYSLOG_TLS_CERT");
  }
  if (ca !== undefined) certificateIn("SOC_SYSLOG_TLS_CA", ca);
  return { tlsPort, tls: { cert, key, ...(ca && { ca }) } };
}

function readRequiredFile(variable: string, path: string | undefined, requiredBy: string): Buffer {
  if (path === undefined) throw invalidField(variable, `required when ${requiredBy} is set`);
  return readNamedFile(variable, path);
}

function readNamedFile(variable: string, path: string): Buffer {
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
