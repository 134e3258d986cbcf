import { readFile } from "node:fs/promises";
import { withoutBrackets } from "@kit/guard/address";
import { invalidField } from "@kit/problem";
import type { ForwardingSettings } from "../../cases/module.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { parseOperatorAddress } from "../../foundation/outbound/operator-address.ts";

/** The values of the environment. */
export interface AuditVariables {
  syslogUrl: string | undefined;
  syslogCaFile: string | undefined;
  otlpUrl: string | undefined;
  otlpHeadersFile: string | undefined;
}

const SYSLOG_URL = /^(udp|tcp|tls):\/\/([^/?#@\s]+):(\d{1,5})\/?$/;
const HEADER = /^([A-Za-z0-9-]{1,100}):[ \t]*([\x20-\x7e]{1,4096})$/;

/** The systems that keep a copy of the audit log. Errors name the variable. */
export async function readAuditReceivers(read: AuditVariables): Promise<ForwardingSettings> {
  if (read.syslogUrl === undefined && read.syslogCaFile !== undefined) {
    throw invalidField("SOC_AUDIT_SYSLOG_URL", "required when SOC_AUDIT_SYSLOG_CA is set");
  }
  if (read.otlpUrl === undefined && read.otlpHeadersFile !== undefined) {
    throw invalidField("SOC_AUDIT_OTLP_URL", "required when SOC_AUDIT_OTLP_HEADERS_FILE is set");
  }
  return {
    syslog: read.syslogUrl === undefined ? undefined : await readSyslog(read.syslogUrl, read.syslogCaFile),
    otlp: read.otlpUrl === undefined ? undefined : await readOtlp(read.otlpUrl, read.otlpHeadersFile),
  };
}

async function readSyslog(url: string, caFile: string | undefined) {
  const [, protocol, host = "", port = ""] = SYSLOG_URL.exec(url) ?? [];
  if (protocol !== "udp" && protocol !== "tcp" && protocol !== "tls") {
    throw invalidField("SOC_AUDIT_SYSLOG_URL", "must be udp://host:port, tcp://host:port or tls://host:port");
  }
  // The same rule as for HTTP: without TLS only to a private host.
  parseOperatorAddress("SOC_AUDIT_SYSLOG_URL", `${protocol === "tls" ? "https" : "http"}://${host}:${port}`);
  if (caFile !== undefined && protocol !== "tls") {
    throw invalidField("SOC_AUDIT_SYSLOG_CA", "must be omitted unless SOC_AUDIT_SYSLOG_URL begins with tls://");
  }
  const ca = caFile === undefined ? undefined : await readCertificates(caFile);
  return { protocol, host: withoutBrackets(host), port: Number(port), ca } as const;
}

async function readCertificates(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw invalidField("SOC_AUDIT_SYSLOG_CA", "must name a readable file", { cause });
  });
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw invalidField("SOC_AUDIT_SYSLOG_CA", "must contain a certificate");
  }
  return text;
}

/** Each line of the file is a header, such as `Authorization: Bearer …`. */
async function readOtlp(address: string, headersFile: string | undefined) {
  const url = parseOperatorAddress("SOC_AUDIT_OTLP_URL", address);
  if (headersFile === undefined) return { url, headers: {} };
  const text = (await readKey("SOC_AUDIT_OTLP_HEADERS_FILE", headersFile, 1)).toString("utf8");
  const headers = text.split("\n").map((line): [string, string] => {
    const [, name = "", value = ""] = HEADER.exec(line.trim()) ?? [];
    if (name === "") throw invalidField("SOC_AUDIT_OTLP_HEADERS_FILE", "must contain lines such as 'Name: value'");
    return [name.toLowerCase(), value];
  });
  return { url, headers: Object.fromEntries<string>(headers) };
}
