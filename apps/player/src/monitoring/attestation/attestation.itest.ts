import { verify, X509Certificate } from "node:crypto";
import { createClock } from "@kit/clock";
import mqtt, { type MqttClient } from "mqtt";
import Type from "typebox";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type MonitoringBench, startMonitoringBench } from "../../../testing/monitoring-bench.ts";
import {
  createTestAuthority,
  type SecurityPlatform,
  startSecurityPlatform,
  startTestBroker,
  type TestAuthority,
  type TestBroker,
} from "../../../testing/security-platform.ts";

const WITHIN = { timeout: 30_000, interval: 50 };
const NONCE = "0123456789abcdef".repeat(4);
const clock = createClock();
let authority: TestAuthority;
let broker: TestBroker;
let platform: SecurityPlatform;
let asker: MqttClient | undefined;
let made = 0;
let published: { topic: string; body: Record<string, string> }[] = [];

beforeAll(async () => {
  authority = await createTestAuthority();
  broker = await startTestBroker(authority);
  platform = await startSecurityPlatform({ authority, broker: broker.url });
});
afterEach(async () => {
  await asker?.endAsync(true);
  asker = undefined;
  published = [];
});
afterAll(async () => {
  await platform.close();
  await broker.close();
});

/** The platform as a client of the broker. */
async function join(): Promise<MqttClient> {
  const { cert, key } = await authority.issuePair("platform");
  const tls = { ca: authority.certificate, cert, key, servername: "localhost" };
  asker = await mqtt.connectAsync(broker.url, { ...tls, protocolVersion: 5, reconnectPeriod: 0 }, false);
  asker.on("message", (topic, payload) => published.push({ topic, body: JSON.parse(payload.toString()) }));
  await asker.subscribeAsync(["devices/+/attestation/receipt", "devices/+/attestation/answer"], { qos: 1 });
  return asker;
}

async function ask(device_id: string, changes: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const deadline = new Date(clock.now().getTime() + 60_000);
  const request = { request_id: `request-${made}`, device_id, nonce: NONCE, pcrs: [], deadline, ...changes };
  await asker?.publishAsync(`devices/${device_id}/attestation/request`, JSON.stringify(request), { qos: 2 });
  return request.request_id;
}

const listOf = (kind: "receipt" | "answer") => published.filter(({ topic }) => topic.endsWith(`/${kind}`));

async function connected(): Promise<MonitoringBench & { device_id: string }> {
  const bench = await startMonitoringBench();
  const { device_id } = (await bench.enrol(platform)).json();
  await expect.poll(bench.status, WITHIN).toMatchObject({ state: "on", broker: "connected" });
  return { ...bench, device_id };
}

describe("a device that is connected to the broker", () => {
  it("confirms a request and answers it with a measurement signed by its key", async () => {
    const { device_id, status, sent } = await connected();
    await join();
    const request_id = await ask(device_id);
    await expect.poll(() => listOf("answer"), WITHIN).toHaveLength(1);
    expect(published.map(({ topic }) => topic)).toEqual([
      `devices/${device_id}/attestation/receipt`,
      `devices/${device_id}/attestation/answer`,
    ]);
    expect(published[0]?.body).toEqual({ request_id });
    const { measurement = "", signature = "", certificate = "", ...rest } = published[1]?.body ?? {};
    expect(rest).toEqual({ request_id, kind: "software" });
    const issued = new X509Certificate(certificate);
    expect(issued.subject).toBe(`CN=${device_id}`);
    // As docs/api/soc.md and the platform's measurement.ts fix it.
    const signed = Buffer.from(`manara-software-attestation-1\n${measurement}`);
    const key = { key: issued.publicKey, dsaEncoding: "ieee-p1363" } as const;
    expect(verify("sha256", signed, key, Buffer.from(signature, "base64"))).toBe(true);
    expect(JSON.parse(measurement)).toEqual({
      ...{ device_id, request_id, nonce: NONCE },
      firmware: { version: "1.2.3", hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      boot: { id: expect.any(String), uptime_ms: expect.any(Number) },
      slots: [
        { name: "a", is_booted: true, hash: null },
        { name: "b", is_booted: false, hash: null },
      ],
      components: [
        { name: "manara-player", version: "1.2.3" },
        { name: "node", version: "v24.1.0" },
        { name: "kernel", version: expect.stringMatching(/^\d+\./) },
      ],
    });
    await expect.poll(async () => (await status()).last_attested_at, WITHIN).toBeGreaterThan(1_700_000_000);
    const { items } = await sent();
    expect(items.map(({ kind, delivered }: { kind: string; delivered: boolean }) => [kind, delivered])).toEqual([
      ["answer", true],
      ["receipt", true],
      ["enrolment", true],
    ]);
    expect(JSON.parse(items[0].content)).toEqual(published[1]?.body);
  });

  it("repeats the answer of a repeated request, and ignores expired and foreign requests", async () => {
    const { device_id, status } = await connected();
    await join();
    const request_id = await ask(device_id);
    await expect.poll(() => listOf("answer"), WITHIN).toHaveLength(1);
    await ask(device_id, { request_id });
    await expect.poll(() => listOf("answer"), WITHIN).toHaveLength(2);
    expect(listOf("answer")[1]).toEqual(listOf("answer")[0]);
    await ask(device_id, { deadline: new Date(clock.now().getTime() - 2000) });
    await ask(device_id, { device_id: "another" });
    await ask(device_id, { nonce: "short" });
    await asker?.publishAsync(`devices/${device_id}/attestation/request`, "{no json", { qos: 2 });
    const last = await ask(device_id);
    await expect.poll(() => listOf("answer").at(-1)?.body.request_id, WITHIN).toBe(last);
    expect(listOf("answer")).toHaveLength(3);
    expect(await status()).toMatchObject({ state: "on", last_error: null });
  });

  it("a device that is connected to the broker does not confirm what its storage refuses, and answers when asked again", async () => {
    const { device_id, database, status } = await connected();
    await join();
    database.command("PRAGMA query_only = ON")();
    const request_id = await ask(device_id);
    await expect.poll(() => broker.output(), WITHIN).toContain(`Received PUBREC from ${device_id}`);
    await clock.sleep(300);
    // The broker continues (PUBREL) only with a message that the device has accepted.
    expect(broker.output()).not.toContain(`Sending PUBREL to ${device_id}`);
    expect(published).toEqual([]);
    database.command("PRAGMA query_only = OFF")();
    await ask(device_id, { request_id });
    await expect.poll(() => listOf("answer"), WITHIN).toHaveLength(1);
    expect(broker.output()).toContain(`Sending PUBREL to ${device_id}`);
    expect(await status()).toMatchObject({ state: "on" });
  });

  it("answers stored requests after a lost broker, and reports that it waits", async () => {
    const { device_id, status, database } = await connected();
    await broker.stop();
    await expect.poll(status, WITHIN).toMatchObject({ state: "waiting", broker: "connecting" });
    database.command("INSERT INTO monitoring_requests (request_id, nonce, deadline) VALUES (?, ?, ?)")(
      "stored",
      NONCE,
      Math.floor(clock.now().getTime() / 1000) + 600,
    );
    await broker.start();
    await join();
    await expect.poll(() => listOf("answer").map(({ body }) => body.request_id), WITHIN).toEqual(["stored"]);
    await expect.poll(status, WITHIN).toMatchObject({ state: "on", last_error: null });
    const request_id = await ask(device_id);
    await expect.poll(() => listOf("answer").at(-1)?.body.request_id, WITHIN).toBe(request_id);
  });

  it("leaves the broker when it is removed", async () => {
    const { device_id, remove, status } = await connected();
    await join();
    await remove();
    expect(await status()).toMatchObject({ state: "off", broker: "none" });
    await ask(device_id);
    await clock.sleep(500);
    expect(published).toEqual([]);
  });

  it("a device that is connected to the broker is refused when the broker calls its certificate revoked", async () => {
    const { database, status } = await connected();
    const Row = Type.Object({ certificate: Type.String() });
    const rows = database.query(Row, "SELECT certificate FROM monitoring_enrolment");
    await broker.revoke(rows.first()?.certificate ?? "");
    await expect.poll(status, WITHIN).toMatchObject({ state: "refused", broker: "none" });
  });
});

it("does not connect to a broker of another authority", async () => {
  const foreign = await startTestBroker(await createTestAuthority("Foreign"));
  const other = await startSecurityPlatform({ authority, broker: foreign.url });
  try {
    const { enrol, status } = await startMonitoringBench();
    await enrol(other);
    await expect
      .poll(status, WITHIN)
      .toMatchObject({ state: "waiting", last_error: expect.stringMatching(/certificate is not of this authority/) });
    expect(foreign.output()).not.toContain("as device-");
  } finally {
    await other.close();
    await foreign.close();
  }
});
