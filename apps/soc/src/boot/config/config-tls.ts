import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { invalidField } from "@kit/problem";
import { createTlsFiles } from "../../foundation/tls-files.ts";

/** The certificate and key of the service; undefined if TLS is not configured. */
export function readTls(certificatePath: string | undefined, keyPath: string | undefined) {
  if (certificatePath === undefined && keyPath === undefined) return undefined;
  return createTlsFiles(() => {
    const cert = readRequiredFile("SOC_TLS_CERT", certificatePath, "SOC_TLS_KEY");
    const key = readRequiredFile("SOC_TLS_KEY", keyPath, "SOC_TLS_CERT");
    requirePair("SOC_TLS", cert, key);
    return { cert, key };
  });
}

export interface SyslogTlsVariables {
  SOC_SYSLOG_TLS_PORT?: number;
  SOC_SYSLOG_TLS_CERT?: string;
  SOC_SYSLOG_TLS_KEY?: string;
  SOC_SYSLOG_TLS_CA?: string;
}

/** Reads the TLS settings of syslog. */
export function readSyslogTls(read: SyslogTlsVariables) {
  const { SOC_SYSLOG_TLS_PORT: tlsPort, SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA } = read;
  if (tlsPort === undefined) {
    for (const [variable, path] of Object.entries({ SOC_SYSLOG_TLS_CERT, SOC_SYSLOG_TLS_KEY, SOC_SYSLOG_TLS_CA })) {
      if (path !== undefined) throw invalidField("SOC_SYSLOG_TLS_PORT", `required when ${variable} is set`);
    }
    return {};
  }
  const tls = createTlsFiles(() => {
    const cert = readRequiredFile("SOC_SYSLOG_TLS_CERT", SOC_SYSLOG_TLS_CERT, "SOC_SYSLOG_TLS_PORT");
    const key = readRequiredFile("SOC_SYSLOG_TLS_KEY", SOC_SYSLOG_TLS_KEY, "SOC_SYSLOG_TLS_PORT");
    const ca = SOC_SYSLOG_TLS_CA === undefined ? undefined : readNamedFile("SOC_SYSLOG_TLS_CA", SOC_SYSLOG_TLS_CA);
    requirePair("SOC_SYSLOG_TLS", cert, key);
    if (ca !== undefined) certificateIn("SOC_SYSLOG_TLS_CA", ca);
    return { cert, key, ...(ca && { ca }) };
  });
  return { tlsPort, tls };
}

/** Refuses what no server could use, because a failed handshake is visible only to the client. */
function requirePair(prefix: "SOC_TLS" | "SOC_SYSLOG_TLS", cert: Buffer, key: Buffer): void {
  const certificate = certificateIn(`${prefix}_CERT`, cert);
  if (!certificate.checkPrivateKey(keyIn(`${prefix}_KEY`, key))) {
    throw invalidField(`${prefix}_KEY`, `must be the key of ${prefix}_CERT`);
  }
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
