import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { connect, type TLSSocket } from "node:tls";
import { createClock } from "@kit/clock";
import { sendSignal } from "@kit/testing/process";
import { checkSpeed } from "@kit/testing/speed";
import { CompiledQuery } from "kysely";
import mqtt, { type MqttClient } from "mqtt";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type DevicesWorld,
  devicesWorld,
  type EnrolledDevice,
  makeRequest,
} from "../../../testing/harness/devices-world.ts";
import { type MosquittoServer, prepareMosquitto } from "../../../testing/servers/mosquitto.ts";
import { createMosquitto } from "../../adapters/broker/mosquitto.ts";
import type { Pair } from "../../ports/broker.ts";

const REVOKED = /certificate revoked/;
const clock = createClock();
let mosquitto: MosquittoServer;
let world: DevicesWorld;
let made = 0;
const closers: (() => unknown)[] = [];

beforeAll(async () => {
  mosquitto = await prepareMosquitto();
  world = await devicesWorld({ mosquitto });
  await world.feature.services.revocations.refresh(0).catch(() => undefined);
  await mosquitto.start();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await world.close();
  await mosquitto.remove();
});

async function newDevice(): Promise<EnrolledDevice> {
  made += 1;
  return world.enrol(`device-${made}`);
}

const revoke = (id: string) => world.app.inject({ method: "POST", url: `/api/v1/cps/devices/${id}/revoke` });

async function buildTls({ cert, key }: Pair) {
  const { certificate: ca } = await world.authority();
  return {
    host: "localhost",
    servername: "localhost",
    port: mosquitto.port,
    ca,
    cert,
    key,
    minVersion: "TLSv1.3",
  } as const;
}

async function join(pair: Pair, options: mqtt.IClientOptions = {}): Promise<MqttClient> {
  const tls = await buildTls(pair);
  const client = await mqtt.connectAsync(
    mosquitto.url,
    { ...tls, protocol: "mqtts", protocolVersion: 5, reconnectPeriod: 0, connectTimeout: 5000, ...options },
    false,
  );
  client.on("error", () => undefined);
  closers.push(() => client.endAsync(true));
  return client;
}

async function dial(pair: Pair, options: { session?: Buffer | undefined } = {}): Promise<TLSSocket> {
  const socket = connect({ ...(await buildTls(pair)), ...options });
  closers.push(() => socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

const requestTopic = (id: string) => `devices/${id}/attestation/request`;
const answerTopic = (id: string) => `devices/${id}/attestation/answer`;
/** MQTT 3.1.1 CONNECT with the client id "test" and a keep-alive of 60 s. */
const CONNECT = Buffer.from("101000044d5154540402003c000474657374", "hex");
const CONNACK_ACCEPTED = Buffer.from("20020000", "hex");

/** Collects everything that a subscriber receives. */
function collect(client: MqttClient): string[] {
  const received: string[] = [];
  client.on("message", (topic) => received.push(topic));
  return received;
}

/**
 * Connects a client of the platform that may publish to every device. Only this test has such rights, through the
 * access file.
 */
async function withRights<Result>(lines: string, work: () => Promise<Result>): Promise<Result> {
  const path = `${mosquitto.folder}/acl`;
  const before = await readFile(path, "utf8");
  await writeFile(path, `${before}\n${lines}\n`);
  const reload = async () => sendSignal(Number(await readFile(mosquitto.pidFile, "utf8")), "SIGHUP");
  await reload();
  await clock.sleep(300);
  try {
    return await work();
  } finally {
    await writeFile(path, before);
    await reload();
  }
}

describe("devices with a valid certificate", () => {
  it("are identified by the certificate, whatever client id and user name they send", async () => {
    const [device, other] = [await newDevice(), await newDevice()];
    const first = await join(other);
    await join(device, { clientId: other.id, username: other.id, password: "x" });
    await clock.sleep(300);
    expect(first.connected).toBe(true);
    expect(mosquitto.output()).toContain(`as ${device.id} (p5`);
  });

  it("receive the address of the broker on enrolment", async () => {
    const payload = { name: "by-enrolment", type: "player" };
    const created = await world.app.inject({ method: "POST", url: "/api/v1/cps/enrolment-codes", payload });
    const { csr } = await makeRequest();
    const issued = await world.feature.services.enrolment.enrol({ code: created.json().code, csr });
    expect(issued.broker).toBe(mosquitto.url);
  });

  it("send and receive only on their own topics", async () => {
    const [device, other] = [await newDevice(), await newDevice()];
    const { issueForClient } = await world.authority();
    await withRights("user tester\ntopic readwrite devices/#", async () => {
      const tester = await join(await issueForClient("tester", 60_000));
      const client = await join(device);
      const [received, sent] = [collect(client), collect(tester)];
      await tester.subscribeAsync("devices/#", { qos: 2 });
      const wishes = [requestTopic(device.id), requestTopic(other.id), "devices/#", "#", "$CONTROL/#", "$SYS/#"];
      for (const topic of wishes) await client.subscribeAsync(topic, { qos: 2 }).catch(() => undefined);
      await tester.publishAsync(requestTopic(other.id), "for another", { qos: 2 });
      await tester.publishAsync(requestTopic(device.id), "for me", { qos: 2 });
      const forged = [answerTopic(other.id), requestTopic(device.id), "anything", `devices/${device.id}/x`];
      for (const topic of forged) {
        await expect(client.publishAsync(topic, "forged", { qos: 1 })).rejects.toThrow(/Not authorized/);
      }
      await client.publishAsync(answerTopic(device.id), "genuine", { qos: 2 });
      await clock.sleep(300);
      // Overlapping subscriptions deliver a message more than once.
      expect([...new Set(received)]).toEqual([requestTopic(device.id)]);
      expect(sent.filter((topic) => topic.endsWith("/answer"))).toEqual([answerTopic(device.id)]);
    });
  });

  it("cannot command the broker or read its answers", async () => {
    const [device, other] = [await newDevice(), await newDevice()];
    const victim = await join(other);
    const client = await join(device);
    const received = collect(client);
    await client.subscribeAsync("$CONTROL/dynamic-security/v1/response").catch(() => undefined);
    const commands = [
      { command: "createClient", username: other.id },
      { command: "disableClient", username: other.id },
    ];
    const command = client.publishAsync("$CONTROL/dynamic-security/v1", JSON.stringify({ commands }), { qos: 1 });
    await expect(command).rejects.toThrow(/Not authorized/);
    await revoke((await newDevice()).id);
    await clock.sleep(200);
    expect(victim.connected).toBe(true);
    expect(received).toEqual([]);
  });
});

describe("connections that the broker refuses", () => {
  it("include clients without a certificate, with an expired one, and with one of another authority", async () => {
    const { issueForClient } = await world.authority();
    const expired = await issueForClient("01920000-0000-7000-8000-000000000009", -1000);
    await expect(join(expired)).rejects.toThrow(/certificate expired/);
    const { certificate: ca } = await world.authority();
    const bare = { ca, protocol: "mqtts", reconnectPeriod: 0, connectTimeout: 5000 } as const;
    await expect(mqtt.connectAsync(mosquitto.url, bare, false)).rejects.toThrow(/certificate required|handshake|ECONN/);
    const foreign = await devicesWorld();
    const stranger = await foreign.enrol("stranger");
    await foreign.close();
    await expect(join(stranger)).rejects.toThrow(/unknown ca/);
  });

  it("include a revoked device, even with a persistent session, but no other device", async () => {
    const [device, other] = [await newDevice(), await newDevice()];
    const client = await join(device);
    const kept = await dial(device);
    const [session] = (await once(kept, "session")) as [Buffer];
    const longest = await watchPauses(other);
    const cut = new Promise<void>((resolve) => client.once("close", () => resolve()));
    const beganMs = clock.monotonicMs();
    const answered = await revoke(device.id);
    await cut;
    const cutMs = clock.monotonicMs() - beganMs;
    expect(answered.json()).toMatchObject({ id: device.id, status: "revoked", certificate: { status: "revoked" } });
    await expect(join(device)).rejects.toThrow(REVOKED);
    const resumed = await dial(device, { session });
    const [error] = await once(resumed, "error");
    expect(error.message).toMatch(REVOKED);
    expect(resumed.isSessionReused()).toBe(false);
    const pauseMs = longest();
    checkSpeed("broker: connection closed after a revocation, ms", cutMs);
    checkSpeed("broker: pause of other devices at a revocation, ms", pauseMs);
  });

  it("include a revoked device that identifies itself later on an older connection", async () => {
    const device = await newDevice();
    const early = await dial(device);
    await once(early, "session");
    expect((await revoke(device.id)).json()).toMatchObject({ status: "revoked" });
    early.write(CONNECT);
    const [accepted] = await once(early, "data");
    // Mosquitto checks no revocation list here and accepts the connection…
    expect(accepted).toEqual(CONNACK_ACCEPTED);
    const topic = Buffer.from(answerTopic(device.id));
    const body = Buffer.concat([Buffer.from([0, topic.length]), topic, Buffer.from("\0\u0001x")]);
    early.write(Buffer.concat([Buffer.from([0x32, body.length]), body]));
    await expect.poll(() => mosquitto.output()).toMatch(new RegExp(`Denied PUBLISH from ${device.id}`));
    // …without any rights, until the worker closes it.
    const closed = once(early, "close");
    await world.feature.services.revocations.cutAgain(60_000);
    await closed;
  });
});

describe("device revocation", () => {
  it("stays revoking while the broker is down, and the worker finishes it afterwards", async () => {
    const device = await newDevice();
    await mosquitto.stop();
    expect((await revoke(device.id)).json()).toMatchObject({ status: "revoking", certificate: { status: "revoked" } });
    expect((await revoke(device.id)).json()).toMatchObject({ status: "revoking" });
    const waitSince = "UPDATE devices SET revoked_at = revoked_at - interval '1 minute' WHERE id = $1";
    await world.platform.db.executeQuery(CompiledQuery.raw(waitSince, [device.id]));
    expect((await world.feature.services.health()).alarm).toMatch(/^the broker has not confirmed the revocation/);
    await mosquitto.start();
    expect(await world.feature.services.revocations.settle()).toBe(1);
    expect(await world.feature.services.health()).toEqual({ alarm: null });
    expect((await world.app.inject(`/api/v1/cps/devices/${device.id}`)).json()).toMatchObject({ status: "revoked" });
    await expect(join(device)).rejects.toThrow(REVOKED);
    const audit = await world.platform.db
      .selectFrom("audit_log")
      .select(["action", "actor"])
      .where("subject_id", "=", device.id)
      .orderBy("id")
      .execute();
    expect(audit.map(({ action }) => action)).toEqual(["device.enrolled", "device.revocation_begun", "device.revoked"]);
  });

  it("revokes twenty devices concurrently and is recorded before it is sent", async () => {
    const devices: EnrolledDevice[] = [];
    for (let count = 0; count < 20; count += 1) devices.push(await newDevice());
    await Promise.all(devices.map(({ id }) => revoke(id)));
    await world.feature.services.revocations.settle();
    const rows = await world.platform.db.selectFrom("devices").select("status").execute();
    expect(rows.filter(({ status }) => status === "revoking")).toEqual([]);
    for (const device of devices.slice(0, 3)) await expect(join(device)).rejects.toThrow(REVOKED);
    const sent = await world.platform.db
      .selectFrom("outbound_log")
      .select(["destination", "method", "outcome"])
      .execute();
    expect(sent).toContainEqual({ destination: "broker", method: "MQTT", outcome: "intended" });
    expect(sent).toContainEqual({ destination: "broker", method: "MQTT", outcome: "answered" });
  });
});

describe("broker files", () => {
  it("are rewritten only if the list is old or lacks a revoked certificate", async () => {
    const { revocations } = world.feature.services;
    const number = async () =>
      (await world.platform.db.selectFrom("revocation_list").selectAll().executeTakeFirst())?.number;
    expect(await revocations.refresh(60_000)).toBe(false);
    const before = (await number()) ?? 0;
    expect(await revocations.refresh(0)).toBe(true);
    expect(await number()).toBe(before + 1);
    expect(await world.feature.services.health()).toEqual({ alarm: null });
  });

  it("contain only the broker's own key, and the list only unexpired certificates", async () => {
    const list = await readFile(`${mosquitto.folder}/crl.pem`, "utf8");
    expect(list).toMatch(/^-----BEGIN X509 CRL-----/);
    const files = await Promise.all(
      ["ca.crt", "acl", "crl.pem", "server.crt"].map((name) => readFile(`${mosquitto.folder}/${name}`, "utf8")),
    );
    expect(files.join("")).not.toContain("PRIVATE KEY");
  });
});

/** Sends continuously from one device; returns a function for the longest time between two acknowledgements. */
async function watchPauses(device: EnrolledDevice): Promise<() => number> {
  const client = await join(device);
  let [lastMs, longestMs, isOver] = [clock.monotonicMs(), 0, false];
  const send = async (): Promise<void> => {
    while (!isOver) {
      await client.publishAsync(answerTopic(device.id), "x", { qos: 1 });
      const nowMs = clock.monotonicMs();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
      await clock.sleep(5);
    }
  };
  const sending = send().catch(() => {
    longestMs = Number.POSITIVE_INFINITY;
  });
  await clock.sleep(200);
  longestMs = 0;
  closers.unshift(async () => {
    isOver = true;
    await sending;
  });
  return () => longestMs;
}

it("never signal a program that reuses the process id of a dead broker", async () => {
  const other = spawn("sleep", ["60"]);
  closers.push(() => other.kill());
  const folder = await mkdtemp(`${tmpdir()}/broker-`);
  closers.push(() => rm(folder, { recursive: true }));
  const pidFile = `${folder}/pid`;
  await writeFile(pidFile, `${other.pid}\n`);
  const broker = createMosquitto({ url: mosquitto.url, reload: { pidFile }, authority: "", clock });
  await expect(broker.reload(clock.deadline(5000))).rejects.toMatchObject({
    message: "SOC_BROKER_PID_FILE: its process is not mosquitto",
  });
  await clock.sleep(200);
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
});
