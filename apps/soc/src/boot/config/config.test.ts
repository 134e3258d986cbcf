import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeCertificates } from "../../../testing/processes/shippers.ts";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "config-"));
let files: ReturnType<typeof makeCertificates>;

beforeAll(() => {
  files = makeCertificates(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

it("defaults to the showcase on port 8080 of this machine", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    mode: "dummy",
    databaseUrl: undefined,
    addressLimitPerMinute: 600,
    generalLimitPerMinute: 100,
    intakeLimitPerMinute: 6000,
    logSettings: { addresses: ["chdb"], cluster: undefined, retentionDays: 30 },
    syslog: { host: "127.0.0.1" },
  });
});

it.each([
  [{ SOC_PORT: "http" }, /^SOC_PORT: /],
  [{ SOC_MODE: "demo" }, /^SOC_MODE: must be one of dummy, dry_run, real$/],
  [{ SOC_PUBLIC_URL: "soc.example.org" }, /^SOC_PUBLIC_URL: /],
  [{ SOC_TRUSTED_PROXIES: "10.0.0.1,balancer" }, /^SOC_TRUSTED_PROXIES: 'balancer' is neither/],
  [{ SOC_TRUSTED_PROXIES: "10.0.0.0/33" }, /^SOC_TRUSTED_PROXIES: /],
  [{ SOC_TRUSTED_PROXIES: "0.0.0.0/0" }, /^SOC_TRUSTED_PROXIES: /],
  [{ SOC_DATABASE_URL: "postgres://u:secret@a:5432,b:none/soc" }, /^SOC_DATABASE_URL: (?!.*secret)/],
  [{ SOC_PUBLIC_URL: "https://soc.example.org/console" }, /^SOC_PUBLIC_URL: /],
  [{ SOC_STEP_UP: "yes" }, /^SOC_STEP_UP: must be one of on, off$/],
  [{ SOC_DATABASE_URL: "mysql://db" }, /^SOC_DATABASE_URL: /],
  [{ SOC_LIMIT_GENERAL_PER_MINUTE: "0" }, /^SOC_LIMIT_GENERAL_PER_MINUTE: /],
  [{ SOC_ADMIN_PASSWORD: "short" }, /^SOC_ADMIN_PASSWORD: (?!.*short)/],
  [{ SOC_TLS_CERT: "/nowhere.pem", SOC_TLS_KEY: "/nowhere.key" }, /^SOC_TLS_CERT: must name a readable file$/],
  [{ SOC_TLS_CERT: import.meta.filename }, /^SOC_TLS_KEY: required when SOC_TLS_CERT is set$/],
  [
    { SOC_TLS_CERT: import.meta.filename, SOC_TLS_KEY: import.meta.filename },
    /^SOC_TLS_CERT: must name a file with a certificate as PEM$/,
  ],
  [{ SOC_LOG_RETENTION_DAYS: "0" }, /^SOC_LOG_RETENTION_DAYS: must be an integer from 1 to 3650$/],
  [{ SOC_LOG_RETENTION_DAYS: "3651" }, /^SOC_LOG_RETENTION_DAYS: /],
  [{ SOC_LOG_STORE: "clickhouse:9000" }, /^SOC_LOG_STORE: /],
  [{ SOC_LOG_STORE: "chdb,http://one:8123" }, /^SOC_LOG_STORE: /],
  [{ SOC_LOG_STORE: "http://one:8123,,http://two:8123" }, /^SOC_LOG_STORE: /],
  [
    { SOC_LOG_STORE: "http://a:secret@one:8123/soc,http://two:8123,http://b@ONE:8123/soc/" },
    /^SOC_LOG_STORE: names one log store twice, as number 1 and number 3$/,
  ],
  [{ SOC_LOG_STORE: "unix:/run/a,unix:/run/a" }, /^SOC_LOG_STORE: names one log store twice/],
  [
    { SOC_LOG_STORE: Array.from({ length: 33 }, (_, place) => `http://host${place}`).join() },
    /^SOC_LOG_STORE: names more than 32 log stores$/,
  ],
  [{ SOC_LOG_BUCKET: "s3://logs" }, /^SOC_LOG_BUCKET: /],
  [{ SOC_LOG_BUCKET: "http://s3/logs", SOC_LOG_STORE: "http://one" }, /^SOC_LOG_BUCKET: needs SOC_LOG_STORE=chdb$/],
  [{ SOC_LOG_BUCKET: "http://s3/logs", SOC_LOG_BUCKET_REGION: "a b" }, /^SOC_LOG_BUCKET_REGION: /],
  [
    { SOC_LOG_BUCKET: "http://s3/logs", SOC_LOG_BOX_DAYS: "29" },
    /^SOC_LOG_BOX_DAYS: must be at least two days less than SOC_LOG_RETENTION/,
  ],
  [
    { SOC_LOG_BUCKET: "http://s3/logs", SOC_LOG_BOX_DAYS: "0" },
    /^SOC_LOG_BOX_DAYS: must be an integer from 1 to 3650$/,
  ],
  [{ SOC_LOG_BUCKET_KEY_FILE: "/key" }, /^SOC_LOG_BUCKET_KEY_FILE: needs SOC_LOG_BUCKET$/],
  [{ SOC_LOG_CLUSTER: "main" }, /^SOC_LOG_CLUSTER: needs SOC_LOG_STORE with http/],
  [{ SOC_LOG_STORE: "http://one", SOC_LOG_CLUSTER: "it's" }, /^SOC_LOG_CLUSTER: /],
  [{ SOC_LIMIT_INTAKE_PER_MINUTE: "none" }, /^SOC_LIMIT_INTAKE_PER_MINUTE: /],
  [{ SOC_STREAM: "kafka://soc:secret@one" }, /^SOC_STREAM: (?!.*secret)/],
  [{ SOC_LLM_URL: "api.example.com" }, /^SOC_LLM_URL: /],
  [{ SOC_LLM_PROVIDER: "gateway" }, /^SOC_LLM_PROVIDER: must be one of openai-compatible, anthropic$/],
  [{ SOC_LLM_MODEL: "a model" }, /^SOC_LLM_MODEL: /],
  [{ SOC_FILES: "s3://bucket" }, /^SOC_FILES: /],
  [{ SOC_FILES_REGION: "eu central" }, /^SOC_FILES_REGION: /],
  [{ SOC_FILE_MB: "0" }, /^SOC_FILE_MB: must be an integer from 1 to 5000$/],
  [{ SOC_LOG_PARTITIONS: "0" }, /^SOC_LOG_PARTITIONS: must be an integer from 1 to 1000$/],
  [{ SOC_STREAM_MB: "1" }, /^SOC_STREAM_MB: must be an integer from 16 to 1000000$/],
])("refuses %j and names the variable", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});

it("reads several log stores in order", () => {
  const SOC_LOG_STORE = "http://soc:secret@one:8123/soc,https://two/soc,unix:/run/three";
  const { addresses } = readConfig({ SOC_LOG_STORE }).logSettings;
  expect(addresses).toEqual(["http://soc:secret@one:8123/soc", "https://two/soc", "unix:/run/three"]);
  expect(readConfig({ SOC_LOG_STORE: "http://one", SOC_LOG_CLUSTER: "main" }).logSettings.cluster).toBe("main");
});

it("reads the address under which clients reach the service", () => {
  expect(readConfig({ SOC_PUBLIC_URL: "https://soc.example.org:8443" }).publicUrl).toBe("https://soc.example.org:8443");
});

it("leaves step-up off by default", () => {
  expect(readConfig({}).signIn.isStepUpOn).toBe(false);
  expect(readConfig({ SOC_STEP_UP: "on" }).signIn.isStepUpOn).toBe(true);
});

it("reads the stream: the outbox by default, or NATS servers with a size limit", () => {
  expect(readConfig({}).stream).toEqual({ address: "outbox", logBytes: 4_294_967_296, partitions: 12 });
  const stream = { SOC_STREAM: "nats://one:4222,nats://two:4222", SOC_STREAM_MB: "16", SOC_LOG_PARTITIONS: "3" };
  const address = "nats://one:4222,nats://two:4222";
  expect(readConfig(stream).stream).toEqual({ address, logBytes: 16_777_216, partitions: 3 });
});

it("reads the TLS settings of syslog, with a CA only if senders must present a certificate", () => {
  const both = { SOC_SYSLOG_TLS_PORT: "6514", SOC_SYSLOG_TLS_CERT: files.cert, SOC_SYSLOG_TLS_KEY: files.key };
  const { syslog } = readConfig(both);
  expect(syslog.tlsPort).toBe(6514);
  expect(syslog.tls?.current()).toEqual({ cert: expect.any(Buffer), key: expect.any(Buffer) });
  const { tls } = readConfig({ ...both, SOC_SYSLOG_TLS_CA: files.ca }).syslog;
  expect(tls?.current()).toHaveProperty("ca", expect.any(Buffer));
});

it.each([
  ["no certificate", () => ({ cert: undefined }), /^SOC_SYSLOG_TLS_CERT: required when SOC_SYSLOG_TLS_PORT is set$/],
  ["no key", () => ({ key: undefined }), /^SOC_SYSLOG_TLS_KEY: required when SOC_SYSLOG_TLS_PORT is set$/],
  ["a missing file", () => ({ cert: "/nowhere.pem" }), /^SOC_SYSLOG_TLS_CERT: must name a readable file$/],
  [
    "a key in place of the certificate",
    () => ({ cert: files.key }),
    /^SOC_SYSLOG_TLS_CERT: must name a file with a certificate/,
  ],
  [
    "a certificate in place of the key",
    () => ({ key: files.cert }),
    /^SOC_SYSLOG_TLS_KEY: must name a file with a private key/,
  ],
  [
    "the key of another certificate",
    () => ({ cert: files.ca }),
    /^SOC_SYSLOG_TLS_KEY: must be the key of SOC_SYSLOG_TLS_CERT$/,
  ],
  ["a key in place of the CA", () => ({ ca: files.key }), /^SOC_SYSLOG_TLS_CA: must name a file with a certificate/],
  ["no port", () => ({ port: undefined }), /^SOC_SYSLOG_TLS_PORT: required when SOC_SYSLOG_TLS_CERT is set$/],
])("refuses syslog over TLS with %s and names the variable", (_what, wrong, message) => {
  const given: Record<string, string | undefined> = { port: "6514", ...files, ...wrong() };
  const environment = {
    SOC_SYSLOG_TLS_PORT: given.port,
    SOC_SYSLOG_TLS_CERT: given.cert,
    SOC_SYSLOG_TLS_KEY: given.key,
    SOC_SYSLOG_TLS_CA: given.ca,
  };
  expect(() => readConfig(environment)).toThrow(message);
});

it("reads the server and the broker of the devices", () => {
  expect(readConfig({ SOC_DATA_DIR: "/data" })).toMatchObject({
    devices: { server: undefined, brokerFolder: "/data/broker" },
    broker: undefined,
  });
  const all = {
    SOC_DEVICES_PORT: "8444",
    SOC_DEVICES_NAMES: "soc.example.org,192.0.2.1",
    SOC_MQTT_URL: "mqtts://broker.example.org:8883",
    SOC_BROKER_DIR: "/var/lib/manara-broker",
    SOC_BROKER_RELOAD: "systemctl  reload mosquitto",
  };
  expect(readConfig(all)).toMatchObject({
    devices: {
      server: { host: "127.0.0.1", port: 8444 },
      names: ["soc.example.org", "192.0.2.1"],
      brokerFolder: "/var/lib/manara-broker",
    },
    broker: { url: "mqtts://broker.example.org:8883", reload: { command: ["systemctl", "reload", "mosquitto"] } },
  });
});

it.each([
  [{ SOC_MQTT_URL: "mqtt://plain" }, /^SOC_MQTT_URL: /],
  [{ SOC_MQTT_URL: "mqtts://user:secret@broker" }, /^SOC_MQTT_URL: /],
  [{ SOC_MQTT_URL: "mqtts://broker" }, /^SOC_BROKER_RELOAD: required when SOC_MQTT_URL is set/],
  [{ SOC_BROKER_RELOAD: "x" }, /^SOC_MQTT_URL: required when SOC_BROKER_RELOAD is set$/],
  [{ SOC_BROKER_PID_FILE: "x" }, /^SOC_MQTT_URL: required when SOC_BROKER_PID_FILE is set$/],
  [
    { SOC_MQTT_URL: "mqtts://broker", SOC_BROKER_PID_FILE: "x", SOC_BROKER_RELOAD: "y" },
    /^SOC_BROKER_RELOAD: must be omitted/,
  ],
  [{ SOC_DEVICES_NAMES: "a b" }, /^SOC_DEVICES_NAMES: /],
])("refuses the device settings %j", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
});
