import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { createClock } from "@kit/clock";
import { freePort } from "@kit/testing/process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wholePlatform } from "../../../../testing/harness/whole-platform.ts";
import { makeCertificates } from "../../../../testing/processes/shippers.ts";
import { freshDatabase } from "../../../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../../../testing/servers/log-engine.ts";
import { readConfig } from "../../../boot/config/config.ts";
import { ALL_SITES } from "../../../foundation/caller/caller.ts";

const clock = createClock();
/** The service reads the files every five seconds. */
const RENEWED_MS = 6000;
const folder = mkdtempSync(join(tmpdir(), "syslog-tls-"));
let certificates: ReturnType<typeof makeCertificates>;
let logs: Awaited<ReturnType<typeof startLogStore>>;

beforeAll(async () => {
  certificates = makeCertificates(folder);
  logs = await startLogStore();
});

afterAll(async () => {
  await logs.stop();
  rmSync(folder, { recursive: true });
});

/** Starts the whole service, with syslog configured by these variables. */
async function startWith(variables: Record<string, string>) {
  const port = await freePort();
  const { cert, key } = certificates;
  const given = { SOC_SYSLOG_TLS_PORT: String(port), SOC_SYSLOG_TLS_CERT: cert, SOC_SYSLOG_TLS_KEY: key };
  const { syslog } = readConfig({ ...given, ...variables });
  const { url } = await freshDatabase();
  const platform = await wholePlatform("real", url, undefined, logs.store, { syslog });
  return { port, close: platform.close };
}

/** Returns how the connection ended. */
async function send(port: number, program: string, hasCertificate: boolean): Promise<string> {
  const { ca, cert, key } = certificates;
  const own = hasCertificate ? { cert: readFileSync(cert), key: readFileSync(key) } : {};
  const socket = connect({ host: "127.0.0.1", port, ca: readFileSync(ca), servername: "localhost", ...own });
  const ended = new Promise<string>((resolve) => {
    socket.once("error", (error) => resolve(error.message));
    socket.once("close", () => resolve("closed"));
  });
  socket.resume();
  socket.end(`<34>1 2026-11-15T10:00:00Z srv-1 ${program} - - - over TLS\n`);
  return ended;
}

async function countLogs(source: string): Promise<number> {
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = {
    scope: ALL_SITES,
    where,
    time: "ingested_at" as const,
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
  };
  return logs.store.count(all, 10);
}

it("stores messages that arrive over TLS at the configured service", { timeout: 30_000 }, async () => {
  const { port, close } = await startWith({});
  expect(await send(port, "plain-sender", false)).toBe("closed");
  await expect.poll(() => countLogs("plain-sender"), { timeout: 10_000 }).toBe(1);
  await close();
});

it("accepts only senders with a certificate of the configured authority", { timeout: 30_000 }, async () => {
  const { port, close } = await startWith({ SOC_SYSLOG_TLS_CA: certificates.ca });
  expect(await send(port, "known-sender", true)).toBe("closed");
  expect(await send(port, "unknown-sender", false)).toMatch(/certificate required/i);
  await expect.poll(() => countLogs("known-sender"), { timeout: 10_000 }).toBe(1);
  expect(await countLogs("unknown-sender")).toBe(0);
  await close();
});

it("uses a certificate whose files were replaced, and never one without its key", { timeout: 60_000 }, async () => {
  const own = join(folder, "renewed");
  mkdirSync(own);
  const next = makeCertificates(own);
  const [cert, key] = [join(folder, "used.pem"), join(folder, "used.key")];
  copyFileSync(certificates.cert, cert);
  copyFileSync(certificates.key, key);
  const { port, close } = await startWith({ SOC_SYSLOG_TLS_CERT: cert, SOC_SYSLOG_TLS_KEY: key });
  const readShown = async () => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const readSerial = (path: string) => new X509Certificate(readFileSync(path)).serialNumber;
  expect(await readShown()).toBe(readSerial(certificates.cert));
  copyFileSync(next.cert, cert);
  await clock.sleep(RENEWED_MS);
  expect(await readShown()).toBe(readSerial(certificates.cert));
  copyFileSync(next.key, key);
  await expect.poll(readShown, { timeout: 2 * RENEWED_MS }).toBe(readSerial(next.cert));
  await close();
});
