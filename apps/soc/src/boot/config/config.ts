import { resolve } from "node:path";
import { readEnvironment } from "@kit/config";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import { PROVIDERS } from "../../assistants/module.ts";
import { parsePrivateTargets } from "../../foundation/outbound/private-targets.ts";
import { MODES } from "../../foundation/runtime/runtime.schema.ts";
import { MAX_PARTITIONS } from "../../logs/module.ts";
import { BucketRegion } from "../files/buckets.ts";
import { FILE_VARIABLES, readStorage } from "../files/file-storage.ts";
import { readDatabaseUrl } from "./config-database.ts";
import { DEVICE_VARIABLES, readBroker, readDevices } from "./config-devices.ts";
import { KEY_VARIABLES, readKeyFiles } from "./config-keys.ts";
import { LOG_VARIABLES, readLogs } from "./config-logs.ts";
import { applyProfile, PROFILE_VARIABLES } from "./config-profile.ts";
import { readTrustedProxies } from "./config-proxies.ts";
import { readSignIn, SIGN_IN_VARIABLES } from "./config-sign-in.ts";
import { readSyslogTls, readTls } from "./config-tls.ts";

const perMinute = (limit: number) => Type.Integer({ minimum: 1, maximum: 10_000_000, default: limit });

const Connections = (count: number) => Type.Integer({ minimum: 5, maximum: 1000, default: count });
const AnswerMs = (ms: number) => Type.Integer({ minimum: 500, maximum: 60_000, default: ms });

const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const Environment = Type.Object({
  SOC_HOST: Type.String({ default: "127.0.0.1" }),
  SOC_PORT: Type.Integer({ minimum: 1, maximum: 65_535, default: 8080 }),
  SOC_TRUSTED_PROXIES: Type.String({ default: "", maxLength: 10_000 }),
  SOC_TLS_CERT: Type.Optional(Type.String()),
  SOC_TLS_KEY: Type.Optional(Type.String()),
  SOC_MODE: Type.Enum([...MODES], { default: "dummy" }),
  SOC_DATABASE_URL: Type.Optional(Type.String({ pattern: "^postgres(ql)?://" })),
  // With the connection that checks the database, and one more for the lease of a worker, a process has at most
  // fifteen.
  SOC_DATABASE_CONNECTIONS: Connections(14),
  SOC_DATABASE_ANSWER_MS: AnswerMs(1500),
  SOC_WORKER_DATABASE_CONNECTIONS: Connections(8),
  SOC_WORKER_DATABASE_ANSWER_MS: AnswerMs(5000),
  SOC_WORKFLOW_CONNECTIONS: Connections(5),
  SOC_DATA_DIR: Type.String({ default: "var/soc" }),
  ...LOG_VARIABLES,
  SOC_STREAM: Type.String({ default: "outbox", pattern: "^(outbox|(nats|tls)://.+)$" }),
  SOC_LOG_PARTITIONS: Type.Integer({ minimum: 1, maximum: MAX_PARTITIONS, default: 12 }),
  SOC_STREAM_MB: Type.Integer({ minimum: 16, maximum: 1_000_000, default: 4096 }),
  SOC_SYSLOG_HOST: Type.String({ default: "127.0.0.1" }),
  SOC_SYSLOG_TCP_PORT: Type.Optional(Port),
  SOC_SYSLOG_UDP_PORT: Type.Optional(Port),
  SOC_SYSLOG_TLS_PORT: Type.Optional(Port),
  SOC_SYSLOG_TLS_CERT: Type.Optional(Type.String()),
  SOC_SYSLOG_TLS_KEY: Type.Optional(Type.String()),
  SOC_SYSLOG_TLS_CA: Type.Optional(Type.String()),
  ...KEY_VARIABLES,
  SOC_ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 8, maxLength: 1000 })),
  SOC_LIMIT_ADDRESS_PER_MINUTE: perMinute(600),
  SOC_LIMIT_GENERAL_PER_MINUTE: perMinute(100),
  SOC_LIMIT_INTAKE_PER_MINUTE: perMinute(6000),
  SOC_LIMIT_PLAYBOOK_PER_MINUTE: perMinute(5),
  SOC_LIMIT_CHAT_PER_MINUTE: perMinute(20),
  SOC_LIMIT_INVESTIGATE_PER_MINUTE: perMinute(10),
  ...PROFILE_VARIABLES,
  SOC_FOUR_EYES: Type.Enum(["on", "off"], { default: "off" }),
  SOC_AGENT_CASES: Type.Enum(["on", "off"], { default: "off" }),
  SOC_EDR_ADAPTER_URL: Type.Optional(Type.String({ pattern: "^https?://[^?#]+$" })),
  SOC_EDR_ADAPTER_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_HTTP_ADAPTERS: Type.Optional(Type.String({ minLength: 1 })),
  SOC_NOTIFY_PRIVATE: Type.Optional(Type.String({ maxLength: 10_000 })),
  SOC_SMTP_URL: Type.Optional(Type.String({ pattern: "^smtps?://" })),
  SOC_SMTP_FROM: Type.Optional(Type.String({ minLength: 3, maxLength: 320 })),
  SOC_AUDIT_SYSLOG_URL: Type.Optional(Type.String({ pattern: "^(udp|tcp|tls)://", maxLength: 1000 })),
  SOC_AUDIT_SYSLOG_CA: Type.Optional(Type.String({ minLength: 1 })),
  SOC_AUDIT_OTLP_URL: Type.Optional(Type.String({ pattern: "^https?://", maxLength: 1000 })),
  SOC_AUDIT_OTLP_HEADERS_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_LLM_URL: Type.Optional(Type.String({ pattern: "^https?://", maxLength: 1000 })),
  SOC_LLM_MODEL: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$" })),
  SOC_LLM_PROVIDER: Type.Optional(Type.Enum([...PROVIDERS])),
  SOC_LLM_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  ...DEVICE_VARIABLES,
  ...SIGN_IN_VARIABLES,
  ...FILE_VARIABLES,
  SOC_BACKUP_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_BACKUP_REGION: BucketRegion,
});

/**
 * Describes which variables are set, with the values of numbers and choices. Strings may be secrets: reports only
 * whether they are set.
 */
export function describeVariables(environment: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(Environment.properties).filter(([name]) => environment[name]);
  return Object.fromEntries(
    set.map(([name, schema]) => [name, Type.IsString(schema) ? "set" : (environment[name] ?? "")]),
  );
}

/**
 * Reads the environment once, at start. An invalid value stops the process before any port opens; the error names the
 * variable.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const read = readEnvironment(Environment, applyProfile(environment));
  requireFirstPassword(read.SOC_ADMIN_PASSWORD, read.SOC_PASSWORD_LENGTH);
  return {
    host: read.SOC_HOST,
    port: read.SOC_PORT,
    trustedProxies: readTrustedProxies(read.SOC_TRUSTED_PROXIES),
    tls: readTls(read.SOC_TLS_CERT, read.SOC_TLS_KEY),
    publicUrl: read.SOC_PUBLIC_URL,
    profile: read.SOC_PROFILE,
    mode: read.SOC_MODE,
    databaseUrl: readDatabaseUrl("SOC_DATABASE_URL", read.SOC_DATABASE_URL),
    databaseLimits: { connections: read.SOC_DATABASE_CONNECTIONS, answerMs: read.SOC_DATABASE_ANSWER_MS },
    workerDatabaseLimits: {
      connections: read.SOC_WORKER_DATABASE_CONNECTIONS,
      answerMs: read.SOC_WORKER_DATABASE_ANSWER_MS,
    },
    workflowConnections: read.SOC_WORKFLOW_CONNECTIONS,
    dataFolder: resolve(read.SOC_DATA_DIR),
    logSettings: readLogs(read),
    stream: readStream(read),
    syslog: {
      host: read.SOC_SYSLOG_HOST,
      ...(read.SOC_SYSLOG_TCP_PORT !== undefined && { tcpPort: read.SOC_SYSLOG_TCP_PORT }),
      ...(read.SOC_SYSLOG_UDP_PORT !== undefined && { udpPort: read.SOC_SYSLOG_UDP_PORT }),
      ...readSyslogTls(read),
    },
    ...readKeyFiles(read),
    devices: readDevices(read),
    storage: readStorage(read),
    backupKey: { keyFile: read.SOC_BACKUP_KEY_FILE, region: read.SOC_BACKUP_REGION },
    broker: readBroker(read),
    tpm: { rootsFile: read.SOC_TPM_ROOTS_FILE, keysFile: read.SOC_TPM_KEYS_FILE },
    signIn: readSignIn(read),
    adminPassword: read.SOC_ADMIN_PASSWORD,
    addressLimitPerMinute: read.SOC_LIMIT_ADDRESS_PER_MINUTE,
    generalLimitPerMinute: read.SOC_LIMIT_GENERAL_PER_MINUTE,
    intakeLimitPerMinute: read.SOC_LIMIT_INTAKE_PER_MINUTE,
    playbookLimitPerMinute: read.SOC_LIMIT_PLAYBOOK_PER_MINUTE,
    chatLimitPerMinute: read.SOC_LIMIT_CHAT_PER_MINUTE,
    investigateLimitPerMinute: read.SOC_LIMIT_INVESTIGATE_PER_MINUTE,
    response: {
      fourEyes: read.SOC_FOUR_EYES === "on",
      agentCases: read.SOC_AGENT_CASES === "on",
      edrUrl: read.SOC_EDR_ADAPTER_URL,
      edrKeyFile: read.SOC_EDR_ADAPTER_KEY_FILE,
      httpAdaptersFile: read.SOC_HTTP_ADAPTERS,
      notifyPrivate:
        read.SOC_NOTIFY_PRIVATE === undefined
          ? undefined
          : parsePrivateTargets("SOC_NOTIFY_PRIVATE", read.SOC_NOTIFY_PRIVATE),
      smtpUrl: read.SOC_SMTP_URL,
      smtpFrom: read.SOC_SMTP_FROM,
    },
    audit: {
      syslogUrl: read.SOC_AUDIT_SYSLOG_URL,
      syslogCaFile: read.SOC_AUDIT_SYSLOG_CA,
      otlpUrl: read.SOC_AUDIT_OTLP_URL,
      otlpHeadersFile: read.SOC_AUDIT_OTLP_HEADERS_FILE,
    },
    model: {
      url: read.SOC_LLM_URL,
      model: read.SOC_LLM_MODEL,
      provider: read.SOC_LLM_PROVIDER,
      keyFile: read.SOC_LLM_KEY_FILE,
    },
  } as const;
}

function requireFirstPassword(password: string | undefined, minLength: number): void {
  if (password !== undefined && password.length < minLength) {
    throw invalidField("SOC_ADMIN_PASSWORD", `must have at least ${minLength} characters`);
  }
}

function readStream(read: { SOC_STREAM: string; SOC_STREAM_MB: number; SOC_LOG_PARTITIONS: number }) {
  const { SOC_STREAM: address, SOC_STREAM_MB: megabytes, SOC_LOG_PARTITIONS: partitions } = read;
  return { address, logBytes: megabytes * 1024 ** 2, partitions };
}
